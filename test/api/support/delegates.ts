import type { DelegateScope } from '../../../schemas/identity/delegate-terms.ts'
import type { Api, Reply } from '../../support/api.ts'

/** Terms that let a delegate read, claim and submit. */
export const DELEGATE_TERMS = {
  name: 'Test agent',
  scopes: ['read', 'claim', 'submit'] as DelegateScope[],
  bondPerDayRaw: '7000000',
  jobsPerDay: 10,
  tiers: ['starter', 'pro'],
  days: 3,
}

type Caller = Pick<Api, 'call'>

/** A wallet or a native account that signs. */
interface Signer {
  address: string
  signMessage(text: { message: string }): Promise<string>
}

/** The message that a wallet signs for a delegate. */
export const delegateMessage = (api: Caller, account: Signer, terms: object = {}): Promise<Reply> =>
  api.call('/auth/nonce', { body: { wallet: account.address, delegate: { ...DELEGATE_TERMS, ...terms } } })

/** Grants to a delegate over HTTP, and gives the answer of the verification. */
export const grantTo = async (api: Caller, account: Signer, terms: object = {}): Promise<Reply> => {
  const { body, text } = await delegateMessage(api, account, terms)
  if (body.message === undefined) throw new Error(text)
  const signature = await account.signMessage({ message: body.message })
  return api.call('/auth/verify', { body: { message: body.message, signature } })
}
