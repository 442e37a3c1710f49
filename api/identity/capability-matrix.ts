import {
  AUTH_POLICY_VERSION,
  BASE_CAPABILITIES,
  GRANTABLE_CAPABILITIES,
  ROLE_CAPABILITIES,
  ROLES,
} from '../../schemas/identity/authorisation.ts'
import { accessOf, capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'

const routeOf = ({ method, path }: OperationSpec): string => `${method} ${path}`

/** Roles and capabilities per operation, generated from the registry. */
export const capabilityMatrix = (operations: readonly OperationSpec[]) => {
  const gated = operations.filter((spec) => capabilitiesNeeded(spec).length > 0)
  const byTag = (wanted: (spec: OperationSpec) => boolean): Record<string, string[]> =>
    Object.fromEntries(gated.filter(wanted).map((spec) => [spec.id, [...capabilitiesNeeded(spec)]]))
  return {
    version: AUTH_POLICY_VERSION,
    base: [...BASE_CAPABILITIES],
    roles: Object.fromEntries(ROLES.map((role) => [role, [...ROLE_CAPABILITIES[role]]])),
    grantable: [...GRANTABLE_CAPABILITIES],
    routes: Object.fromEntries(gated.map((spec) => [routeOf(spec), [...capabilitiesNeeded(spec)]])),
    routeRules: operations
      .filter((spec) => accessOf(spec) !== 'none')
      .map((spec) => ({
        route: routeOf(spec),
        auth: accessOf(spec),
        action: spec.action ?? null,
        role: rolesAllowed(spec).join(' or ') || null,
      })),
    uiControls: byTag(({ method }) => method === 'POST'),
    automationActions: byTag(({ tool }) => tool !== undefined),
  }
}
