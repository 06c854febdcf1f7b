#!/usr/bin/env python3
"""Verifies the evidence of an access review without Grantgraph: python3 verify-review.py evidence.zip [head]

It compares the digests of all files, items and decisions, the chain, the states and the numbers. With a head that you
stored elsewhere (of the newest event that has one) it also finds a chain that somebody wrote again or cut off there."""
import hashlib, json, sys, zipfile

ERASED = "(erased)"
ITEM = ("number", "holder", "reviewer", "is_carried", "effect", "entitlement", "marks", "texts")
ENTRY = ("seq", "previous", "act", "item", "by", "at", "batch", "shown", "detail", "said")
SEALS = (("open", "at", "opened_at"), ("cancel", "at", "cancelled_at"), ("cancel", "reason", "reason"),
         ("close", "at", "closed_at"), ("close", "reason", "attestation"), ("remediated", "at", "remediated_at"))
STATES = ("pending", "keep", "revoke", "gone", "carried", "excepted")
DONE = {"block": "blocked", "came_back": "came_back", "confirm": "confirmed", "except": "excepted", "order": "ordered"}

def digest(*parts):
    text = json.dumps(list(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

def verify(archive, stored_head):
    findings, erased, names = [], [], archive.namelist()
    def check(holds, what, texts=""):
        (erased if ERASED in texts else findings).extend([] if holds else [what])
    def lines(name):
        return [json.loads(line) for line in archive.read(name).decode().split("\n") if line]
    manifest = json.loads(archive.read("manifest.json"))["sha256"]
    check(len(names) == len(set(names)) and set(names) == {"manifest.json", *manifest}, "files are missing, or there twice")
    for name in set(names) & set(manifest):
        check(hashlib.sha256(archive.read(name)).hexdigest() == manifest[name], f"{name}: not as the manifest says")
    told = json.loads(archive.read("review.json"))
    review, settings = told["review"], json.loads(told["settings"] or "{}")
    people = {one["alias"]: one for one in lines("people.jsonl")}
    check(told["settings_digest"] == (told["settings"] and digest(told["settings"])), "the settings are other ones", told["settings"])
    coverage = settings.get("coverage", {})  # A draft that somebody cancelled has none, and no items.
    coverage.update(not_reviewed=coverage.pop("notReviewed", []), elsewhere=coverage.get("elsewhere", []))
    other = sorted(name for name in set(settings) & set(review) if settings[name] != review[name])
    check(other == [], f"the review has another {', '.join(other)} than its settings")
    population, now, opened, acts, seals = hashlib.sha256(), {}, {}, {}, settings.get("seals", {})
    for place, item in enumerate(lines("items.jsonl"), 1):
        name, state = f"item {item['number']}", "carried" if item["is_carried"] else "pending"
        check(item["number"] == place, f"item {place} is missing")
        salt = told["salt"] if item["holder"] == "" else people.get(item["holder"], {}).get("salt")
        texts = ERASED if salt is None else item["fact"] + item["shown"]
        check(digest(salt, item["fact"], item["shown"]) == item["texts"], f"{name}: its texts are other ones", texts)
        check(digest(*(item[field] for field in ITEM), *item["seals"]) == item["digest"], f"{name}: its digest is another one")
        seals.update(zip((item["holder"], item["reviewer"]), item["seals"]))
        population.update((item["digest"] + "\n").encode())
        opened[item["number"]] = item
        now[item["number"]] = {"state": state, "reviewer": item["reviewer"], "by": "", "done": None}
    check([review["digest"], review["items"]] == ([population.hexdigest(), len(opened)] if opened else [None] * 2), "the digest of the population is another one")
    head, seq = digest(review["id"], told["settings_digest"], review["digest"] or ""), 0
    named = {part: settings.get(f"{part}_alias", "") for part in ("owner", "fallback")}
    for entry in lines("decisions.jsonl"):
        name = f"entry {entry['seq']}"
        check((entry["seq"], entry["previous"]) == (seq + 1, head), f"{name}: the one before is missing or another one")
        head, seq = digest(review["id"], *(entry[field] for field in ENTRY)), entry["seq"]
        check(entry["hash"] == head, f"{name}: its hash is another one")
        texts = (entry["reason"], entry["key_id"], entry["key_name"])
        check(digest(entry["salt"], *texts, *entry["seals"]) == entry["said"], f"{name}: its texts are other ones", "".join(texts))
        seals.update(seal.split(" ") for seal in entry["seals"])
        item, act, by, state = opened.get(entry["item"]), entry["act"], entry["by"], now.get(entry["item"])
        if item is None:
            check(act != "close" or by == named["owner"], f"{name}: somebody else than the owner closed the review")
            acts[act], named = entry, {**named, act[5:]: entry["detail"]} if act.startswith("name_") else named
            continue
        check(entry["shown"] == item["digest"], f"{name}: the item is another one")
        check(by == "" or by != item["holder"], f"{name}: somebody decided about themselves")
        if act in ("keep", "revoke"):
            check(by in (state["reviewer"], "") and (by or act == "revoke"), f"{name}: somebody else was the reviewer")
            check(act == "keep" or entry["reason"].strip(), f"{name}: a revoke has no reason")
            ordered = "ordered" if state["done"] in (None, "withdrawn") else state["done"]
            state.update(state=act, by=by, done=ordered if act == "revoke" else state["done"] and "withdrawn")
        elif state["state"] == "revoke":
            state.update(done=DONE.get(act, state["done"]))
        else:
            state.update(state={"gone": "gone", "except": "excepted", "came_back": "pending"}.get(act, state["state"]))
        state["reviewer"] = entry["detail"] if act == "reassign" else state["reviewer"]
    check((seq, head if seq else None) == (review["entries"], review["head"]), "the head of the chain is another one")
    check(stored_head in (None, *(one["hash"] for one in lines("decisions.jsonl"))), "the chain does not have the head you stored")
    said = ("salt", "alias", "key", "name", "email")
    meant = [(alias, [one[field] for field in said], one["name"] + one["email"]) for alias, one in people.items()]
    meant += [(part, [people[alias]["salt"], review[part]], review[part]) for part, alias in named.items() if alias in people]
    for name, parts, texts in meant if seals else []:  # Older reviews have no seals.
        check(seals.get(name) == digest(*parts), f"{name} is somebody else than the review says", texts)
    seals = SEALS if "open" in acts or not opened else SEALS[3:]  # Older chains have no entries of the first three.
    sealed = [(acts.get(act, {}).get(said), review[field]) for act, said, field in seals]
    is_same = all(one == other or ERASED in f"{one}{other}" for one, other in sealed)
    state = "closed" if "close" in acts else "cancelled" if review["cancelled_at"] else "open"
    check(is_same and review["state"] == state, "the state, the attestation or a seal is not what the chain says")
    for number, item in opened.items():
        last = [item[field] for field in ("state", "last_reviewer", "decided_by", "remediation")]
        check(last == [*now[number].values()], f"item {number}: its state, reviewer or remediation is another one")
    print(", ".join(f"{state} {sum(each['state'] == state for each in now.values())}" for state in STATES))
    print(f"{len(opened)} items, {seq} entries, head {head}; {len(erased)} texts were changed by an erasure")
    return findings

if __name__ == "__main__":
    found = verify(zipfile.ZipFile(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
    print("\n".join(found) or "verified")
    sys.exit(1 if found else 0)
