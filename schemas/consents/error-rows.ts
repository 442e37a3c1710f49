import { post } from '../common/error-row.ts'

/** Rows for the refusals of a consent. Each product has them under its own codes; `quote` is the route of its quotes. */
export const consentErrorRows = (quote: `/${string}`) => ({
  quoteUnknown: {
    title: 'Quote unknown',
    meaning: 'The service has offered no such terms.',
    next: post(quote, 'Ask for a quote and sign its message.'),
  },
  quoteExpired: { title: 'Quote expired', meaning: 'A quote is valid for ten minutes.', next: post(quote, 'Ask for a new quote.') },
  termsChanged: {
    title: 'Terms changed',
    meaning: 'The terms are not the ones that were offered under this hash.',
    next: post(quote, 'Send the terms of the quote unchanged.'),
  },
  otherWallet: {
    title: 'Quote of another wallet',
    meaning: 'The terms were offered to another wallet.',
    next: post(quote, 'Ask for a quote of your own.'),
  },
  otherSigner: {
    title: 'Signature does not match',
    meaning: 'The signature is not one of the wallet over the exact message of the quote.',
    next: post(quote, 'Sign the message of the quote unchanged (personal_sign).'),
  },
})
