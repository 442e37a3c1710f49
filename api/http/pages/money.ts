import { amountText } from '../../../domain/common/money.ts'

/** An amount with its asset, in whole units. `amount` is in base units, as digits. */
export const money = ({ amount, decimals, asset }: { amount: string; decimals: number; asset: string }): string =>
  amountText(BigInt(amount), { decimals, symbol: asset })
