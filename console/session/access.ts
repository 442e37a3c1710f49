import { type Client, OPERATIONS, type OperationId } from '../../client/src/index.ts'

type AuthSession = Awaited<ReturnType<Client['getAuthSession']>>

/** Who has signed in, and what the API allows the token. */
export interface Access {
  /** Address that signed in: 0x or SS58. */
  subject: string
  wallet: string
  roles: readonly string[]
  kind: AuthSession['tokenKind']
  /** ISO 8601. */
  expiresAt: string
  refreshableUntil: string | null
  /** Whether the API answers an operation with this token, by the rules that the API itself publishes with the sign-in. */
  may: (operation: OperationId) => boolean
}

/** The rules of `/auth/session`, by operation. An operation that this API does not know is not allowed. */
export const accessOf = (session: AuthSession): Access => {
  const { subject, wallet, roles, tokenKind: kind, capabilities, capabilityMatrix: matrix, expiresAt, refreshableUntil } = session
  const rules = new Map(matrix.routeRules.map((rule) => [rule.route, rule]))
  // A grant has capabilities until it ends; then its token is refused even where none is needed.
  const hasEnded = kind === 'service' && capabilities.length === 0
  const may = (operation: OperationId): boolean => {
    const { method, path, auth } = OPERATIONS[operation]
    if (auth === 'none') return true
    if (auth === 'optional') return !hasEnded
    const route = `${method} ${path}`
    const rule = rules.get(route)
    if (rule === undefined || auth === 'metrics') return false
    if (auth === 'wallet_only' && kind !== 'wallet') return false
    if (auth === 'no_delegate' && kind === 'delegate') return false
    const allowedRoles = typeof rule.role === 'string' ? rule.role.split(' or ') : []
    if (allowedRoles.length > 0 && !roles.some((role) => allowedRoles.includes(role))) return false
    return (matrix.routes[route] ?? []).every((capability) => capabilities.includes(capability))
  }
  return { subject, wallet, roles, kind, expiresAt, refreshableUntil, may }
}
