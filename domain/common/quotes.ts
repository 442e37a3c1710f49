/** Why a transaction would be refused, with the amounts that decide it in base units. */
interface Refusal<Reason extends string> {
  reason: Reason
  amounts: Readonly<Record<string, bigint>>
}

/** What a transaction does, or why it would be refused. */
export type Quoted<Quote, Reason extends string> = { quote: Quote; refusal: null } | { quote: null; refusal: Refusal<Reason> }

export const quoted = <Quote>(quote: Quote): { quote: Quote; refusal: null } => ({ quote, refusal: null })

export const refused = <Reason extends string>(reason: Reason, amounts: Readonly<Record<string, bigint>>) => ({
  quote: null,
  refusal: { reason, amounts },
})
