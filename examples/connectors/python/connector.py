"""Pushes the accounts of a help desk with oaaclient, as it is on PyPI.

    pip install -r requirements.txt
    export VEZA_URL=127.0.0.1:8443 VEZA_API_KEY=... REQUESTS_CA_BUNDLE=...
    python connector.py ../helpdesk-export.json

The names VEZA_... are the client's own. Its certificate check reads REQUESTS_CA_BUNDLE;
VEZA_UNSAFE_HTTPS=true turns the check off and is for a machine of your own alone.
"""

import json
import sys

from oaaclient.client import OAAClient, OAAClientError
from oaaclient.templates import CustomApplication, OAAPermission, OAAPropertyType

PROVIDER = "Help desk"
DATA_SOURCE = "helpdesk.example.org"


def read_accounts(export):
    """Says in Grantgraph's words what the help desk says in its own."""
    app = CustomApplication("Help desk", application_type="helpdesk")

    # What the system calls its permissions, and what they come to.
    app.add_custom_permission("read", [OAAPermission.DataRead])
    app.add_custom_permission(
        "manage",
        [OAAPermission.DataRead, OAAPermission.DataWrite],
        apply_to_sub_resources=True,
    )
    app.add_local_role("manager", permissions=["manage"])

    # A property of your own is declared once, with its type.
    app.property_definitions.define_local_user_property("seat", OAAPropertyType.STRING)

    for team in export["teams"]:
        app.add_local_group(team["name"])

    for agent in export["agents"]:
        # `identities` ties the account to a person: the login, email or name that an identity
        # provider knows. It may be pushed before that identity provider is, or after.
        user = app.add_local_user(agent["login"], identities=[agent["email"]])
        user.is_active = agent["active"]
        user.set_property("seat", agent["seat"], ignore_none=True)
        for team in agent["teams"]:
            user.add_group(team)

    for queue in export["queues"]:
        resource = app.add_resource(queue["name"], resource_type="queue")
        for folder in queue["folders"]:
            resource.add_sub_resource(folder, resource_type="folder")
        for reader in queue["readers"]:
            app.local_users[reader].add_permission("read", resources=[resource])
        for team in export["teams"]:
            if queue["name"] in team["queues"]:
                app.local_groups[team["name"]].add_role(
                    "manager", resources=[resource], apply_to_application=False
                )
    return app


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        app = read_accounts(json.load(file))
    try:
        client = OAAClient()
        # Finds or creates the provider and the data source, then sends everything: a push is the
        # whole truth of its data source, and what is no longer in it leaves the graph.
        answer = client.push_application(PROVIDER, DATA_SOURCE, app, create_provider=True)
    except OAAClientError as error:
        # Nothing was written. Each violation names its place in the payload.
        print(f"refused: {error.error}: {error.message}", file=sys.stderr)
        for detail in error.details:
            for violation in detail.get("field_violations", []):
                print(f"  {violation['pointer']}: {violation['description']}", file=sys.stderr)
        sys.exit(1)
    for warning in answer["warnings"]:
        print(f"warning: {warning['message']}")
    print("unchanged" if answer["unchanged"] else f"pushed {answer['put']['nodes']} nodes")


if __name__ == "__main__":
    main()
