"""A page or the pages of a site in, a record, links or a map out: stages composed, in this process."""
