import { verdictItem } from '../../../domain/sessions/verdict-items.ts'

/** Checks of a benchmark that found its terms, or missed them. */
export const benchmarkItems = (areTermsFound: boolean) => [
  verdictItem('terms_distinguish_work', true, '/verifierConfigSnapshot'),
  verdictItem('terms_found', areTermsFound, '/verificationInput'),
  verdictItem('quotes_in_revision', null, '/verificationInput'),
]
