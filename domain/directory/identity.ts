import type { OperatorIdentities } from '../../schemas/directory/identities.ts'

/**
 * Who is behind a wallet (lower case), by the operator's list of own wallets. A wallet outside the list is external only if there is a list.
 */
export const agentIdentity = (wallet: string, registry: OperatorIdentities) => {
  const known = registry[wallet]
  const classification = known !== undefined ? 'operator-run' : Object.keys(registry).length > 0 ? 'external' : 'unknown'
  return {
    synthetic: known !== undefined,
    identity: {
      classification,
      kind: known?.kind ?? null,
      authority: 'operator_identity_registry',
      evidence: known?.evidence ?? null,
    },
  } as const
}
