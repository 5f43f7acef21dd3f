// Nothing to lower: the pipelines alone are printed.
