#!/bin/sh
# As upstream's reducer asks: exits with 1 while a file is interesting, here while a cell draws.
! grep -q lci.bernoulli "$1"
