"""A domain's name in, what its fields are out (kind, multiplicity, default parser), read from the YAML files here."""

from sitewright.domains.domain import Domain, FieldSpec, domain_names, load_domain

__all__ = ["Domain", "FieldSpec", "domain_names", "load_domain"]
