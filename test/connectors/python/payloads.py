"""Every class that the installed oaaclient can build, with all that its version lets be said."""

import inspect

from oaaclient import templates
from oaaclient.templates import (
    CustomApplication,
    CustomIdPProvider,
    IdPProviderType,
    OAAPermission,
    OAAPropertyType,
)


def has(owner, name):
    return callable(getattr(owner, name, None))


def takes(function, parameter):
    return parameter in inspect.signature(function).parameters


def own(entity, external_id, is_primary=False):
    if has(entity, "add_owner"):
        entity.add_owner(external_id, "IdpUser", is_primary=is_primary)


def application(name, users=("ann", "bob")):
    app = CustomApplication(name, application_type="crm", description="What sells")
    definitions = app.property_definitions
    definitions.define_application_property("tier", OAAPropertyType.NUMBER)
    definitions.define_local_user_property("unique_id", OAAPropertyType.STRING)
    definitions.define_local_user_property("is_admin", OAAPropertyType.BOOLEAN)
    definitions.define_local_user_property("seen", OAAPropertyType.TIMESTAMP)
    definitions.define_local_group_property("floors", OAAPropertyType.STRING_LIST)
    definitions.define_local_role_property("Level", OAAPropertyType.NUMBER)
    definitions.define_resource_property("space", "size", OAAPropertyType.NUMBER)

    app.add_custom_permission("View", [OAAPermission.DataRead])
    app.add_custom_permission(
        "edit", [OAAPermission.DataRead, OAAPermission.DataWrite], apply_to_sub_resources=True
    )
    app.add_custom_permission("own", [OAAPermission.MetadataWrite], resource_types=["space", "page"])
    app.set_property("tier", 0)
    app.add_tag("stage", "production")
    own(app, "ann@example.com", is_primary=True)

    group = app.add_local_group("sales", identities=["sales@example.com"], unique_id="g-1")
    group.created_at = "2021-01-02T03:04:05.000Z"
    group.set_property("floors", ["1", "2"])
    app.add_local_group("all").add_tag("team")
    group.add_group("all")
    own(group, "bob@example.com")

    reader = app.add_local_role("reader", permissions=["view"], unique_id="r-1")
    reader.set_property("Level", 1)
    admin = app.add_local_role("admin", permissions=["edit"])
    if has(admin, "add_role"):
        admin.add_role("r-1")
    own(admin, "ann@example.com")

    space = app.add_resource("wiki", resource_type="space", description="Where things stand")
    space.set_property("size", 0)
    page = space.add_sub_resource("page", resource_type="page")
    page.add_tag("kind", "secret")
    page.add_sub_resource("attachment", resource_type="file")
    space.add_resource_connection("warehouse", "Database")
    own(space, "bob@example.com")
    if takes(app.add_resource, "unique_id"):
        app.add_resource("bucket", resource_type="bucket", unique_id="b-1")

    for at, login in enumerate(users):
        user = app.add_local_user(
            login, identities=[f"{login}@example.com"], groups=["g-1"], unique_id=f"u-{at}"
        )
        user.is_active = at % 2 == 0
        user.created_at = "2020-01-02T03:04:05Z"
        user.last_login_at = "2024-06-01T10:15:30.123+02:00"
        user.deactivated_at = "2024-06-01T10:15:30.123+02:00"
        user.set_property("unique_id", "")
        user.set_property("is_admin", False)
        user.set_property("seen", "2024-06-01T10:15:30Z")
        user.add_tag("grade", "A")
        user.add_permission("view", resources=[space, page])
        user.add_permission("own", apply_to_application=True)
        user.add_role("r-1", apply_to_application=True)
        own(user, "ann@example.com")
    group.add_role("admin", resources=[space], apply_to_application=False)
    app.add_idp_identity("cyd@example.com").add_permission("edit", resources=[page])

    if has(app, "add_access_cred"):
        definitions.define_access_cred_property("scope", OAAPropertyType.STRING)
        cred = app.add_access_cred("key-1", "Deploy key")
        cred.is_active = True
        cred.created_at = "2024-01-02T03:04:05Z"
        cred.can_expire = False
        cred.set_property("scope", "ci")
        cred.add_permission("view", resources=[space])
        own(cred, "ann@example.com")
        app.local_users["u-0"].add_access_cred("key-1")
    if has(definitions, "define_role_assignment_property"):
        definitions.define_role_assignment_property("reason", OAAPropertyType.STRING)
        app.local_users["u-0"].add_role(
            "admin", apply_to_application=True, assignment_properties={"reason": "on call"}
        )
    if has(app, "add_agent"):
        definitions.define_local_agent_property("budget", OAAPropertyType.NUMBER)
        definitions.define_local_model_property("open", OAAPropertyType.BOOLEAN)
        model = app.add_model("gp", unique_id="m-1", ai_platform="lab", ai_model_family="g")
        model.set_property("open", False)
        model.add_tag("stage", "test")
        own(model, "ann@example.com")
        agent = app.add_agent("helper", unique_id="a-1", ai_platform="lab")
        agent.set_property("budget", 0)
        agent.add_model("m-1")
        agent.add_group("g-1")
        agent.add_access_cred("key-1")
        agent.add_permission("view", resources=[space])
        own(agent, "bob@example.com")
    return app


def identity_provider(name, users=("ann", "bob")):
    idp = CustomIdPProvider(name, idp_type="corp", domain="example.com", description="People")
    definitions = idp.property_definitions
    definitions.define_domain_property("region", OAAPropertyType.STRING)
    definitions.define_user_property("Badge", OAAPropertyType.NUMBER)
    definitions.define_group_property("email", OAAPropertyType.STRING)
    idp.domain.set_property("region", "eu")
    if has(idp.domain, "add_tag"):
        idp.domain.add_tag("stage", "production")

    staff = idp.add_group("staff", full_name="All staff")
    staff.set_property("email", "staff@example.com")
    sales = idp.add_group("sales", identity="sales@example.com")
    if has(sales, "add_groups"):
        sales.add_groups(["staff"])
    if has(sales, "set_source_identity"):
        sales.set_source_identity("S-1", IdPProviderType.OKTA)
    sales.add_assumed_role_arns(["arn:aws:iam::123456789012:role/sales"])

    apps = []
    if has(idp, "add_app"):
        definitions.define_app_property("tier", OAAPropertyType.NUMBER)
        definitions.define_app_assignment_property("since_when", OAAPropertyType.STRING)
        portal = idp.add_app("portal", "Portal")
        portal.description = "The way in"
        portal.set_property("tier", 1)
        portal.add_assumed_role_arns(["arn:aws:iam::123456789012:role/portal"])
        apps = ["portal"]
        sales.add_app_assignment(id="sales-portal", name="Sales", app_id="portal")

    for at, login in enumerate(users):
        user = idp.add_user(
            login, full_name=login.title(), email=f"{login}@example.com", identity=f"{login}-id"
        )
        user.department = "sales"
        user.is_active = True
        user.is_guest = False
        user.manager_id = f"{users[0]}-id" if at > 0 else None
        user.set_property("Badge", at)
        user.add_groups(["staff", "sales@example.com"])
        if has(user, "add_tag"):
            user.add_tag("grade", "A")
        user.set_source_identity(login, IdPProviderType.OKTA)
        user.add_assumed_role_arns(["arn:aws:iam::123456789012:role/sales"])
        for app in apps:
            user.add_app_assignment(
                id=f"{login}-{app}",
                name="As a user",
                app_id=app,
                assignment_properties={"since_when": "always"},
            )
    if hasattr(templates, "IdPUserIdentityType"):
        idp.users[f"{users[0]}-id"].identity_type = list(templates.IdPUserIdentityType)[0]
    return idp


def hr_system(name, users=("ann", "bob")):
    """None where the client's version has no such class."""
    if not hasattr(templates, "HRISProvider"):
        return None
    hris = templates.HRISProvider(name, hris_type="Peoplebook", url="https://hr.example.com")
    definitions = hris.property_definitions
    definitions.define_system_property("region", OAAPropertyType.STRING)
    definitions.define_employee_property("notice_weeks", OAAPropertyType.NUMBER)
    definitions.define_group_property("budget", OAAPropertyType.NUMBER)
    hris.system.add_idp_type(IdPProviderType.OKTA)
    hris.add_group("sales", "Sales", "Department").set_property("budget", 0)
    hris.add_group("c-1", "Costs", "Cost Center")
    hris.add_group("t-1", "Team", "Team")

    for at, login in enumerate(users):
        employee = hris.add_employee(
            f"e-{at}", login.title(), str(at + 1), login.title(), "Archer", at == 0, "ACTIVE"
        )
        # The first is found by the directory's id, the others by email.
        if at == 0:
            employee.idp_id = f"{login}-id"
        employee.email = f"{login}@example.com"
        employee.company = "Example"
        employee.preferred_name = login
        employee.display_full_name = f"{login.title()} Archer"
        employee.canonical_name = login
        employee.username = login
        employee.personal_email = f"{login}@home.example.com"
        employee.home_location = "Here"
        employee.work_location = "There"
        employee.cost_center = "c-1"
        employee.department = "sales"
        employee.start_date = "2020-01-02T03:04:05Z"
        employee.termination_date = "2030-01-02T03:04:05Z"
        employee.job_title = "Engineer"
        employee.employment_types = ["FULL_TIME"]
        employee.primary_time_zone = "Europe/Oslo"
        employee.add_group("t-1")
        employee.add_manager("e-0")
        employee.set_property("notice_weeks", 4)
    return hris
