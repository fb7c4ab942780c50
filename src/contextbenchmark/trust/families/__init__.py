"""The families of measures: each turns observations into its part of the report, without any I/O."""
