import { QUOTED_RUN } from '../../domain/paid-verification/builders/requests.ts'

/** How the operations of paid verification handle repeated requests. */
export const PAID_VERIFICATION_CASES = {
  quoteVerificationRun: {
    kind: 'pure',
    because: 'it states a price and stores nothing',
    prepare: async () => ({ token: undefined, body: QUOTED_RUN }),
  },
  startVerificationRun: { kind: 'exempt', because: 'a payment is good for one run, which every repeat answers; its own test shows it' },
} as const
