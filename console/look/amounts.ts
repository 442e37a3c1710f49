import { Refusal } from '../http/failures.ts'

/** An amount whose asset stands beside it, such as one of a dispute; a dash where there is none. */
export const inAsset = (amount: { display: string } | null | undefined, asset: string): string =>
  amount ? `${amount.display} ${asset}` : '–'

/** Whole units that a reader typed, in base units, exact at any size. Throws 400 for what is no amount above zero. */
export const baseUnits = (text: string, decimals: number): string => {
  const [, whole, part = ''] = /^(\d{1,60})(?:\.(\d{1,30}))?$/.exec(text.trim()) ?? []
  if (whole === undefined) throw new Refusal(400, 'The amount must be digits with a point, such as 0.6.')
  if (part.length > decimals) throw new Refusal(400, `The amount has more than ${decimals} digits after the point.`)
  const raw = BigInt(whole + part.padEnd(decimals, '0'))
  if (raw === 0n) throw new Refusal(400, 'The amount must be above zero.')
  return raw.toString()
}
