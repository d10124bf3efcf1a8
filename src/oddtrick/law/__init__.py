"""The law: from YAML to one typed book, and the law in force under a code with its options."""
