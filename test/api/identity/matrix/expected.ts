// Who may call what, as the specification says it. It reads declarations of operations and nothing of the code that authorises.
import type { Capability, Role } from '../../../../schemas/identity/authorisation.ts'
import type { OperationSpec } from '../../../../schemas/operations/operation.ts'

/** Kinds of callers that the table tells apart. */
type CallerClass =
  | 'no token'
  | 'wallet'
  | 'service token'
  | 'delegate'
  | 'token of OAuth'
  | 'revoked service token'
  | 'revoked delegate'
  | 'refreshed token'
  | 'expired token'
  | 'bad signature'
  | 'no token in the header'

/** What the expectation of a call depends on, beside the operation. */
export interface CallerFacts {
  /** A native account stands in the column of wallets. */
  kind?: 'native_account'
  /** A native account that the chain does not map: it earns nothing. */
  isUnmapped?: boolean
  class: CallerClass
  wallet: string
  roles: readonly Role[]
  capabilities: readonly Capability[]
}

/** What an operation declares of its callers. */
type Declared = Pick<OperationSpec, 'id' | 'auth' | 'role' | 'capability' | 'ownView' | 'withoutGrant' | 'replacedToken' | 'earning'>

/** Kinds of access, by the credentials that an operation lists. */
const ACCESS = {
  anonymous: 'open',
  'wallet_token service_token delegate_token anonymous': 'optional',
  'wallet_token service_token delegate_token named_wallet': 'token',
  'wallet_token service_token named_wallet': 'signed by the wallet',
  'wallet_token named_wallet': 'wallet',
  metrics_secret: 'metrics',
} as const
type Access = (typeof ACCESS)[keyof typeof ACCESS]

const accessTo = ({ id, auth }: Declared): Access => {
  const access = (ACCESS as Record<string, Access>)[auth.join(' ')]
  if (access === undefined) throw new Error(`the table has no column for the credentials of ${id}`)
  return access
}

/** Content of a cell: a refusal, `anonymous` for a call that is read as one without a token, or a rule that looks at more. */
type Cell =
  | `${401 | 403} ${string}`
  | 'anonymous'
  /** The wallet of the token, with the role and the capabilities that the operation needs. */
  | 'the wallet'
  /** The wallet of the token, with the capabilities alone: no role comes with the token. */
  | 'the bearer'
  /** The wallet of the token if it has one of the capabilities of the own view; else as without a token. */
  | 'the own view'
  /** The bearer where a grant is not needed; else the refusal that names the end of the grant. */
  | 'without grant'
  /** The wallet where a token that was refreshed still counts; else its refusal. */
  | 'once more'
  /** Only the wallet itself: a refusal that differs for a refresh. */
  | 'not itself'

/** Source: identity, "Authorisation"; decisions on service tokens and delegates. */
const TABLE: Record<CallerClass, Record<Access, Cell>> = {
  'no token': {
    open: 'anonymous',
    optional: 'anonymous',
    token: '401 missing_token',
    'signed by the wallet': '401 missing_token',
    wallet: '401 missing_token',
    metrics: '401 missing_token',
  },
  wallet: {
    open: 'anonymous',
    optional: 'the wallet',
    token: 'the wallet',
    'signed by the wallet': 'the wallet',
    wallet: 'the wallet',
    metrics: '401 bad_signature',
  },
  'service token': {
    open: 'anonymous',
    optional: 'the own view',
    token: 'the bearer',
    'signed by the wallet': 'the bearer',
    wallet: 'not itself',
    metrics: '401 bad_signature',
  },
  delegate: {
    open: 'anonymous',
    optional: 'the own view',
    token: 'the bearer',
    'signed by the wallet': 'not itself',
    wallet: 'not itself',
    metrics: '401 bad_signature',
  },
  'token of OAuth': {
    open: 'anonymous',
    optional: '401 claims_mismatch',
    token: '401 claims_mismatch',
    'signed by the wallet': '401 claims_mismatch',
    wallet: '401 claims_mismatch',
    metrics: '401 bad_signature',
  },
  'revoked service token': {
    open: 'anonymous',
    optional: 'without grant',
    token: 'without grant',
    'signed by the wallet': 'without grant',
    wallet: 'not itself',
    metrics: '401 bad_signature',
  },
  'revoked delegate': {
    open: 'anonymous',
    optional: '401 delegate_ended',
    token: '401 delegate_ended',
    'signed by the wallet': 'not itself',
    wallet: 'not itself',
    metrics: '401 bad_signature',
  },
  'refreshed token': {
    open: 'anonymous',
    optional: '401 token_revoked',
    token: '401 token_revoked',
    'signed by the wallet': '401 token_revoked',
    wallet: 'once more',
    metrics: '401 bad_signature',
  },
  'expired token': {
    open: 'anonymous',
    optional: '401 token_expired',
    token: '401 token_expired',
    'signed by the wallet': '401 token_expired',
    wallet: '401 token_expired',
    metrics: '401 bad_signature',
  },
  'bad signature': {
    open: 'anonymous',
    optional: '401 bad_signature',
    token: '401 bad_signature',
    'signed by the wallet': '401 bad_signature',
    wallet: '401 bad_signature',
    metrics: '401 bad_signature',
  },
  'no token in the header': {
    open: 'anonymous',
    optional: '401 malformed_token',
    token: '401 malformed_token',
    'signed by the wallet': '401 malformed_token',
    wallet: '401 malformed_token',
    metrics: '401 malformed_token',
  },
}

/** Name of the principal that each class is handled as. */
const KINDS: Partial<Record<CallerClass, string>> = {
  'service token': 'service_token',
  'revoked service token': 'service_token',
  delegate: 'delegate',
}

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] => {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value as T]
}

/** What a call of an operation comes to: `401 code`, `403 code` with what is missing, `anonymous`, or `as` the kind and wallet of the caller. */
export const expectedOf = (spec: Declared, caller: CallerFacts): string => {
  const cell = TABLE[caller.class][accessTo(spec)]
  const lacking = (names: readonly Capability[]) => listOf(spec.capability).filter((name) => !names.includes(name))
  const isRefused = caller.isUnmapped && spec.earning
  const self = isRefused ? '409 native_account_mapping_required' : `as ${KINDS[caller.class] ?? caller.kind ?? 'wallet'} ${caller.wallet}`
  const withCapabilities = (): string => {
    const missing = lacking(caller.capabilities)
    return missing.length === 0 ? self : `403 missing_capability ${missing.join(' ')}`
  }
  const lacksRole = spec.role !== undefined && !listOf(spec.role).some((role) => caller.roles.includes(role))
  switch (cell) {
    case 'the wallet':
    case 'the bearer':
      return lacksRole ? '403 missing_role' : withCapabilities()
    case 'the own view':
      return listOf(spec.ownView).some((name) => caller.capabilities.includes(name)) ? withCapabilities() : 'anonymous'
    case 'without grant':
      return spec.withoutGrant ? self : ['403 missing_capability', ...lacking([])].join(' ')
    case 'once more':
      return spec.replacedToken ? self : '401 token_revoked'
    case 'not itself':
      return spec.id === 'refreshToken' ? '401 service_token_refresh_unsupported' : '403 wallet_session_required'
    default:
      return cell
  }
}
