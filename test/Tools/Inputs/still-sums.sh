#!/bin/sh
# Interesting is a program that the importer takes, in which something is summed.
lmpm-translate --import-lmpm "$1" | grep -q 'lci.reduce *sum'
