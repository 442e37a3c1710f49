import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'

type Address = WalletPrincipal['wallet']

/** Who would claim: the wallet, and the grant of the delegate that acts for it. A reader has no wallet. */
export interface Claimant<Wallet extends string | null = string> {
  /** Lower case. */
  wallet: Wallet
  /** Null for the wallet itself and for a service token. */
  grantId: string | null
  /** Person whom a claim names, null for none; absent where no claim is made. */
  responsiblePerson?: string | null
}

export const NO_CLAIMANT: Claimant<null> = { wallet: null, grantId: null }

/** Whom a signed-in caller claims for, and by which grant. */
export const claimantOf = ({ wallet, kind, grant }: Pick<WalletPrincipal, 'wallet' | 'kind' | 'grant'>): Claimant<Address> => ({
  wallet,
  grantId: kind === 'delegate' ? (grant?.id ?? null) : null,
})

/** Whom a reader asks for: the wallet that it names, else its own; its grant counts for its own wallet only. */
export const readerOf = (named: Address | undefined, caller: WalletPrincipal | null): Claimant<Address | null> => {
  const own: Claimant<Address | null> = caller === null ? NO_CLAIMANT : claimantOf(caller)
  return named === undefined || named === own.wallet ? own : { wallet: named, grantId: null }
}
