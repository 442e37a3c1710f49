import { defaultNextActions } from '../../domain/common/next-actions.ts'
import { scopesOf } from '../../domain/identity/delegate-terms.ts'
import { grantableOf } from '../../domain/identity/grants.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Capability } from '../../schemas/identity/authorisation.ts'
import { accessOf, capabilitiesNeeded, type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'

export const AUTH_SCHEME = 'SIWE_JWT'
export const AUTH_ENTRYPOINTS = ['/auth/nonce', '/auth/verify', '/auth/refresh', '/auth/logout']
/** Routes by which an admin grants capabilities, with a service token or to a wallet. */
const GRANT_ROUTES = ['POST /admin/service-tokens', 'POST /admin/capability-grants']
/** Sign-in modes that work on a chain. */
export const supportedWalletModes = ({ native }: Pick<ChainFile, 'native'>): string[] => [
  'evm-siwe',
  'agent-self-custody',
  ...(native === undefined ? [] : ['substrate-native']),
]

/** Who grants the capabilities that an operation needs, and how. Where a role is needed, a grant alone does not help, unless only a capability is missing. */
const grantHint = (spec: OperationSpec, { code, info }: ServiceError): Record<string, unknown> => {
  const missing = info.details?.missingCapabilities as readonly Capability[] | undefined
  const capabilities = grantableOf(missing ?? capabilitiesNeeded(spec))
  const helps =
    code !== 'wallet_session_required' &&
    capabilities.length > 0 &&
    ['wallet', 'no_delegate'].includes(accessOf(spec)) &&
    (spec.role === undefined || code === 'missing_capability')
  if (!helps) return {}
  return { grantedBy: { role: 'admin', capability: 'admin:capabilities:grant', capabilities, routes: GRANT_ROUTES } }
}

/** Refusal of a delegate without some capabilities. No admin can grant them to it, and its wallet only what is in a scope. */
export const missingScope = (missingCapabilities: readonly Capability[]): ServiceError => {
  const scopes = scopesOf(missingCapabilities)
  const detail =
    scopes.length === 0
      ? 'No delegate may do this. It needs the sign-in of the wallet itself.'
      : `The delegate lacks the scope ${scopes.join(' and ')}. Only its wallet can grant it, to a new delegate.`
  return new ServiceError('missing_capability', { detail, details: { missingCapabilities, grantedBy: { wallet: true, scopes } } })
}

/** `details` of a refusal for want of a sign-in, so that the first refusal tells the caller what is needed. Source: http, "Hints in 401 and 403". */
const authHint = (spec: OperationSpec, chain: ChainFile): Record<string, unknown> => ({
  requiresAuth: accessOf(spec) !== 'none',
  ...(spec.action !== undefined && { requiredAction: spec.action }),
  ...(spec.role !== undefined && { requiredRole: rolesAllowed(spec)[0] }),
  ...(rolesAllowed(spec).length > 1 && { requiredRoles: [...rolesAllowed(spec)] }),
  requiredCapabilities: [...capabilitiesNeeded(spec)],
  authScheme: AUTH_SCHEME,
  walletModes: supportedWalletModes(chain),
  authEntrypoints: AUTH_ENTRYPOINTS,
  onboarding: '/onboarding',
  ...(accessOf(spec) === 'wallet_only' && { notes: 'Needs the sign-in of the wallet itself; service tokens and delegates are refused.' }),
  ...(accessOf(spec) === 'no_delegate' && { notes: 'Delegates are refused.' }),
})

/** Puts the hint of the operation on an error that a sign-in resolves; other errors pass unchanged. */
export const withHint = (error: ServiceError, spec: OperationSpec, chain: ChainFile): ServiceError => {
  const nextActions = error.info.nextActions ?? defaultNextActions(error.code, error.info.details)
  if (nextActions.every(({ kind }) => kind !== 'sign_in')) return error
  return new ServiceError(error.code, {
    ...error.info,
    details: { ...authHint(spec, chain), ...grantHint(spec, error), ...error.info.details },
    nextActions,
  })
}
