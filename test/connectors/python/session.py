"""All that a connector asks for in its life, with the client's own calls; prints what it was told, as JSON."""

import json
import os
import sys

import payloads
from oaaclient.client import OAAClient, OAAClientError

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\n"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def failed(call):
    """How the client tells its user of an error."""
    try:
        call()
    except OAAClientError as error:
        return {
            "error": error.error,
            "message": error.message,
            "status_code": error.status_code,
            "details": error.details,
            "request_id": getattr(error, "request_id", None),
        }
    return None


def main():
    prefix = sys.argv[1]
    client = OAAClient(url=os.environ["VEZA_URL"], api_key=os.environ["VEZA_API_KEY"])
    told = {}

    # Names as people give them.
    name = f'{prefix} "CRM" of O\'Hara (EU): a=b'
    provider = client.create_provider(name, "application", base64_icon=PNG)
    told["created"] = provider
    told["found"] = client.get_provider(name)["id"] == provider["id"]
    if hasattr(client, "enable_multipart"):
        # Version 1.0.0 asks for the provider of the id "{provider_id}": it forgot an f.
        told["found_by_id"] = client.get_provider_by_id(provider["id"])["name"] == name
    told["not_found"] = client.get_provider(f"{prefix} nobody")
    told["taken"] = failed(lambda: client.create_provider(name, "application"))
    client.update_provider_icon(provider["id"], PNG)
    client.create_data_source('main "one"', provider["id"])
    told["source"] = client.get_data_source('main "one"', provider["id"])["name"]

    def push(**settings):
        for setting, value in settings.items():
            setattr(client, setting, value)
        return client.push_application(name, 'main "one"', payloads.application("CRM"))

    told["plain"] = push(enable_compression=False)
    told["compressed"] = push(enable_compression=True)
    if hasattr(client, "enable_multipart"):
        # So small a payload goes in parts only where a user says so.
        client.enable_multipart = True
        client.MULTIPART_THRESHOLD_SIZE = 1
        client.DEFAULT_PART_SIZE = 999
        told["parts"] = push()
        client.enable_multipart = False

    idp_name = f"{prefix} directory"
    client.create_provider(idp_name, "identity_provider")
    told["idp"] = client.push_application(idp_name, "main", payloads.identity_provider("Corp"))
    told["idp_again"] = client.push_application(idp_name, "main", payloads.identity_provider("Corp"))
    hr_name = f"{prefix} people"
    if payloads.hr_system("HR") is not None:
        client.create_provider(hr_name, "hris")
        told["hris"] = client.push_application(hr_name, "main", payloads.hr_system("HR"))
        told["hris_again"] = client.push_application(hr_name, "main", payloads.hr_system("HR"))
        lost = payloads.hr_system("HR")
        lost.employees["e-1"].add_manager("nobody knows")
        told["hris_refused"] = failed(lambda: client.push_application(hr_name, "main", lost))
    # Who is known now: nothing is left to warn of.
    told["bound"] = client.push_application(
        name, 'main "one"', payloads.application("CRM", ("ann", "bob", "dan"))
    )

    wrong = payloads.application("CRM").get_payload()
    wrong["applications"][0]["local_users"][0]["groups"] = ["nobody knows"]
    wrong["applications"][0]["local_roles"][0]["surprise"] = 1
    told["refused"] = failed(lambda: client.push_metadata(name, 'main "one"', wrong))
    # Keys in another case are the same keys.
    cased = payloads.application("CRM", ("ann", "bob", "dan")).get_payload()
    cased["Applications"] = cased.pop("applications")
    cased["Applications"][0]["Local_Users"] = cased["Applications"][0].pop("local_users")
    told["cased"] = client.push_metadata(name, 'main "one"', cased)

    # More providers than one page holds.
    made = [
        client.create_provider(f"{prefix} many {number}", "application")["id"]
        for number in range(105)
    ]
    listed = [entry["id"] for entry in client.get_provider_list()]
    told["pages"] = {
        "complete": set(made) <= set(listed),
        "once": len(listed) == len(set(listed)),
    }
    for id in made:
        client.delete_provider(id)

    sources = client.get_data_sources(provider["id"])
    told["sources"] = [entry["name"] for entry in sources]
    client.delete_data_source(sources[0]["id"], provider["id"])
    told["sources_left"] = client.get_data_sources(provider["id"])
    client.delete_provider(provider["id"])
    told["gone"] = client.get_provider(name)
    client.delete_provider(client.get_provider(idp_name)["id"])
    if "hris" in told:
        client.delete_provider(client.get_provider(hr_name)["id"])
    json.dump(told, sys.stdout)


main()
