import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Onboarding } from '../../schemas/discovery/onboarding.ts'
import { needsToken, type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'
import { AUTH_SCHEME, supportedWalletModes } from '../identity/hints.ts'

/** Rows of the specification's authorisation table; a row without a method covers every method of the path. */
const ROWS = [
  'GET /onboarding',
  'POST /auth/nonce',
  'POST /auth/verify',
  'POST /auth/refresh',
  'GET /pool',
  'POST /pool/transactions',
  'GET /account/position',
  'POST /account/deposit/transactions',
  'POST /account/withdraw/transactions',
  'GET /me',
  'POST /locked-deposits/quote',
  'POST /locked-deposits/consent',
  'POST /locked-deposits/:id/exit',
  'GET /credit',
  'POST /credit/transactions',
  '* /jobs/claim',
  '* /jobs/submit',
  '* /account',
  '* /account/:path',
  '* /jobs/preflight',
  '* /jobs/recommendations',
  '* /sessions',
  '* /session',
  'GET /jobs/:id/estimate',
  '* /admin/:path',
  'POST /verifier/:path',
].map((row) => {
  const [method = '', path = ''] = row.split(' ')
  return { method, path }
})
type Row = (typeof ROWS)[number]

type Requirement = Onboarding['onboarding']['actionRequirements'][number]

const covers = ({ method, path }: Row, spec: OperationSpec): boolean => {
  const below = path.endsWith('/:path') && spec.path.startsWith(path.slice(0, -':path'.length))
  return (method === '*' || method === spec.method) && (spec.path === path || below)
}

/** The row of an operation: an exact row before one that covers a whole branch. */
const rowOf = (spec: OperationSpec): Row | undefined => {
  const rows = ROWS.filter((row) => covers(row, spec))
  return rows.find(({ path }) => path === spec.path) ?? rows[0]
}

const requirement = (row: Row, operations: readonly OperationSpec[], chain: ChainFile): Requirement[] => {
  const [first, ...others] = operations.filter((spec) => rowOf(spec) === row)
  if (first === undefined) return []
  if (first.action === undefined) throw new Error(`no action for ${row.method} ${row.path}`)
  if (others.some((spec) => spec.action !== first.action || spec.role !== first.role))
    throw new Error(`more than one rule for ${row.method} ${row.path}`)
  const requiresAuth = needsToken(first)
  const [firstRole] = rolesAllowed(first)
  return [
    {
      ...row,
      requiresAuth,
      requiredAction: first.action,
      ...(firstRole !== undefined && { requiredRole: firstRole }),
      ...(requiresAuth && { authScheme: AUTH_SCHEME, walletModes: supportedWalletModes(chain) }),
    },
  ]
}

/** Authorisation table of the specification with the values of the registry, without routes that are not served. */
export const actionRequirements = (operations: readonly OperationSpec[], chain: ChainFile): Requirement[] =>
  ROWS.flatMap((row) => requirement(row, operations, chain))
