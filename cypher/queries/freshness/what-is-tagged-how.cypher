// Tags and what has them
// Which tags exist, and what has them?
//
// Parameters: none.
//
// One row for each tag and kind of thing. The service itself makes `derived` tags.
// A report about the complete graph: it looks at all tags.
// Roles: administrator, analyst, auditor.

MATCH (tag:Tag)<-[tagged:TAGGED]-(thing)
WITH tag, coalesce(tagged.derived, false) AS derived, [label IN labels(thing) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0] AS label, collect(coalesce(thing.path, thing.name)) AS things, count(*) AS count
RETURN tag.name AS tag, tag.value AS value, derived, label, count, COLLECT {
    UNWIND things AS value
    RETURN DISTINCT value ORDER BY value
  }[..20] AS some_of_them
ORDER BY tag, value, derived, label
