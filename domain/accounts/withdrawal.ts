import type { WithdrawalRefusal } from '../../schemas/accounts/record.ts'
import { type Position, spendableRaw, withdrawableRaw } from '../chain/account-position.ts'
import type { NativeGas } from '../chain/native-gas.ts'
import { type Quoted, quoted, refused } from '../common/quotes.ts'

/** A requested withdrawal; addresses in lower case, amounts in base units. */
export interface WithdrawalRequest {
  wallet: string
  amountRaw: bigint
  /** Where the amount goes in the end; null for the wallet itself. */
  destination: string | null
}

export interface WithdrawalFacts {
  position: Position
  /** Bound by locked deposits. */
  encumberedRaw: bigint
  /** Contracts in which a plain transfer would be lost: the asset and those of the service. */
  sinks: readonly string[]
}

export interface WithdrawalQuote {
  amountRaw: bigint
  /** Where the contract pays: always the wallet. */
  firstLandingAddress: string
  destination: string
  /** Whether a transfer follows the withdrawal. */
  transfers: boolean
  availableBeforeRaw: bigint
  availableAfterRaw: bigint
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/**
 * A withdrawal of exact base units. The contract pays its caller, so another destination needs a transfer of the wallet's own; a destination
 * from which no one can move the tokens is refused. Any other contract is allowed. Source: money, "POST /account/withdraw/transactions".
 */
export const quoteWithdrawal = (request: WithdrawalRequest, facts: WithdrawalFacts): Quoted<WithdrawalQuote, WithdrawalRefusal> => {
  const { wallet, amountRaw } = request
  const destination = request.destination ?? wallet
  const available = spendableRaw(facts.position, facts.encumberedRaw)
  if (destination === ZERO_ADDRESS || facts.sinks.includes(destination)) return refused('destination_refused', {})
  if (amountRaw > available) {
    const isBound = amountRaw <= withdrawableRaw(facts.position)
    const amounts = { requested: amountRaw, available, encumbered: facts.encumberedRaw }
    return refused(isBound ? 'locked_deposit_encumbered' : 'amount_exceeds_available', amounts)
  }
  return quoted({
    amountRaw,
    firstLandingAddress: wallet,
    destination,
    transfers: destination !== wallet,
    availableBeforeRaw: available,
    availableAfterRaw: available - amountRaw,
  })
}

/** Gas units of all transactions: each one's estimate, or what it used in the simulation where it waits for another one; null if unknown. */
export const totalGasUnits = (estimates: readonly (bigint | null)[], used: readonly bigint[]): bigint | null =>
  estimates.reduce(
    (sum, estimate, index) => {
      const units = estimate ?? used[index]
      return sum === null || units === undefined ? null : sum + units
    },
    0n as bigint | null,
  )

/** Fee of a withdrawal in base units of the native asset, and whether the wallet can pay it. A wallet that cannot still gets its templates. */
export const withdrawalGas = (gasUnits: bigint, { feePerGasRaw, balanceRaw }: Pick<NativeGas, 'feePerGasRaw' | 'balanceRaw'>) => {
  const estimatedFeeRaw = gasUnits * feePerGasRaw
  return { estimatedFeeRaw, sufficient: balanceRaw >= estimatedFeeRaw }
}
