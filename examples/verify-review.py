#!/usr/bin/env python3
"""Verifies the evidence of an access review without Grantgraph: python3 verify-review.py evidence.zip [head]

It compares the digests of all files, items and decisions, the chain, the states and the numbers. With a head that you
stored elsewhere (an event REVIEW_DECIDED or REVIEW_CLOSED) it also finds a chain that somebody wrote again.
"""
import hashlib
import json
import sys
import zipfile

ERASED = "(erased)"
ITEM = ("number", "holder", "reviewer", "is_carried", "effect", "entitlement", "marks", "texts")
ENTRY = ("seq", "previous", "act", "item", "by", "at", "batch", "shown", "detail", "said")
STATES = ("pending", "keep", "revoke", "gone", "carried", "excepted")


def digest(*parts):
    text = json.dumps(list(parts), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def verify(archive, stored_head):
    findings, erased = [], 0
    manifest = json.loads(archive.read("manifest.json"))["sha256"]
    for name in set(archive.namelist()) - {"manifest.json"} | set(manifest):
        if name not in archive.namelist() or hashlib.sha256(archive.read(name)).hexdigest() != manifest.get(name):
            findings.append(f"{name}: it is missing, or not the file of the manifest")
    lines = lambda name: [json.loads(line) for line in archive.read(name).decode().split("\n") if line]
    told = json.loads(archive.read("review.json"))
    review, people = told["review"], {one["alias"]: one for one in lines("people.jsonl")}
    if digest(told["settings"]) != told["settings_digest"] and ERASED not in told["settings"]:
        findings.append("the settings are not those with which the review was opened")

    population, now, opened = hashlib.sha256(), {}, {}
    for place, item in enumerate(lines("items.jsonl"), 1):
        name, state = f"item {item['number']}", "carried" if item["is_carried"] else "pending"
        if item["number"] != place:
            findings.append(f"item {place} is missing")
        salt = told["salt"] if item["holder"] == "" else people.get(item["holder"], {}).get("salt")
        if salt is None or digest(salt, item["fact"], item["shown"]) != item["texts"]:
            if salt is None or ERASED in item["fact"] + item["shown"]:
                erased += 1
            else:
                findings.append(f"{name}: its texts are not those with which the review was opened")
        if digest(*(item[field] for field in ITEM)) != item["digest"]:
            findings.append(f"{name}: its digest is another one")
        population.update((item["digest"] + "\n").encode())
        opened[item["number"]] = item
        now[item["number"]] = {"state": state, "reviewer": item["reviewer"], "by": ""}
    if population.hexdigest() != review["digest"] or len(opened) != review["items"]:
        findings.append("the digest or the size of the population is another one")

    head, seq, heads = digest(review["id"], told["settings_digest"], review["digest"]), 0, set()
    for entry in lines("decisions.jsonl"):
        seq += 1
        name = f"entry {entry['seq']}"
        if entry["seq"] != seq or entry["previous"] != head:
            findings.append(f"{name}: an entry before it is missing or another one")
        head, seq = digest(review["id"], *(entry[field] for field in ENTRY)), entry["seq"]
        heads.add(head)
        if entry["hash"] != head:
            findings.append(f"{name}: its hash is another one")
        if digest(entry["salt"], entry["reason"], entry["key_id"], entry["key_name"]) != entry["said"]:
            is_erased = ERASED in entry["reason"] + entry["key_id"] + entry["key_name"]
            erased += is_erased
            findings += [] if is_erased else [f"{name}: its texts are other ones"]
        item, act, state = opened.get(entry["item"]), entry["act"], now.get(entry["item"])
        if item is None:
            continue
        if entry["shown"] != item["digest"] or (entry["by"] and entry["by"] == item["holder"]):
            findings.append(f"{name}: the item is another one, or somebody decided about themselves")
        if act in ("keep", "revoke") and entry["by"] not in (state["reviewer"], "" if act == "revoke" else None):
            findings.append(f"{name}: somebody else was the reviewer")
        if act == "revoke" and not entry["reason"].strip():
            findings.append(f"{name}: a revoke has no reason")
        if act in ("keep", "revoke", "gone"):
            state.update(state=act, by=state["by"] if act == "gone" else entry["by"])
        elif act == "except" and state["state"] == "pending":
            state.update(state="excepted")
        elif act == "reassign":
            state.update(reviewer=entry["detail"])
    if head != review["head"] and (seq or review["head"]) or seq != review["entries"]:
        findings.append("the head of the chain is another one")
    if stored_head is not None and stored_head not in heads:
        findings.append("the chain does not have the head that you stored")
    for number, item in opened.items():
        if (item["state"], item["last_reviewer"], item["decided_by"]) != tuple(now[number].values()):
            findings.append(f"item {number}: its state, reviewer or who decided is not what the chain says")
    print(", ".join(f"{state} {sum(each['state'] == state for each in now.values())}" for state in STATES))
    print(f"{len(opened)} items, {seq} entries, head {head}; {erased} texts were changed by an erasure")
    return findings


if __name__ == "__main__":
    with zipfile.ZipFile(sys.argv[1]) as evidence:
        found = verify(evidence, sys.argv[2] if len(sys.argv) > 2 else None)
    print("\n".join(found) or "verified")
    sys.exit(1 if found else 0)
