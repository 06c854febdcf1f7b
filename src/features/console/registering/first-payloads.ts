import type { CustomTemplate } from '../../../contract/registration';
import { PAYLOAD_FILE } from './push-lines';

const EMAIL = 'ann@example.org';

/** A small payload of each template, with which somebody can try a first push. */
const FIRST_PAYLOADS: Readonly<Record<CustomTemplate, object>> = {
  identity_provider: {
    idp_type: 'directory',
    domains: [{ name: 'example.org' }],
    users: [{ name: 'ann', email: EMAIL, groups: [{ identity: 'editors' }] }],
    groups: [{ name: 'editors' }],
  },
  application: {
    applications: [
      {
        name: 'Wiki',
        application_type: 'wiki',
        local_users: [{ name: 'ann', identities: [EMAIL] }],
        resources: [{ name: 'Handbook', resource_type: 'space' }],
      },
    ],
    permissions: [{ name: 'edit', permission_type: ['DataRead', 'DataWrite'] }],
    identity_to_permissions: [
      {
        identity: 'ann',
        identity_type: 'local_user',
        application_permissions: [
          { application: 'Wiki', permission: 'edit', resources: ['Handbook'] },
        ],
      },
    ],
  },
  hris: {
    name: 'People',
    hris_type: 'hr',
    system: { id: 'hr', name: 'HR' },
    employees: [
      {
        id: 'E1',
        name: 'Ann',
        employee_number: 'E1',
        first_name: 'Ann',
        last_name: 'Example',
        is_active: true,
        employment_status: 'ACTIVE',
        email: EMAIL,
      },
    ],
  },
};

/** The lines of a shell that write a small payload of a template into the file that is pushed. */
export const firstPayloadLines = (template: CustomTemplate): string =>
  [`cat > ${PAYLOAD_FILE} <<'end'`, JSON.stringify(FIRST_PAYLOADS[template]), 'end'].join('\n');
