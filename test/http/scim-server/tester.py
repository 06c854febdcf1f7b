"""Runs all checks of scim2-tester against a server, and prints each result as a line of JSON."""

import json
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

base, key = sys.argv[1:]
client = SyncSCIMClient(
    httpx2.Client(base_url=base, headers={"Authorization": f"Bearer {key}"}, timeout=60)
)
for result in check_server(client):
    told = {
        "status": result.status.name,
        "title": result.title,
        "of": result.resource_type,
        "reason": result.reason,
        "data": None if result.status.name == "SUCCESS" else str(result.data),
    }
    print(json.dumps(told), flush=True)
