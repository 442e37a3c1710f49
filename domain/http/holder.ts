/** The parts of a caller that tell it from others. */
export interface Holder {
  /** Lower-case address; null for a payer, who has not signed in. */
  wallet: string | null
  subject: string
}

/** What limits, idempotency keys and revocations know a caller by: its wallet, whichever kind of token it sends; a payer by its subject. */
export const holderOf = ({ wallet, subject }: Holder): string => wallet ?? subject
