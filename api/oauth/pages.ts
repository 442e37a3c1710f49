import { describeRedirect, documentHost } from '../../domain/oauth/clients.ts'
import { fieldValue, type Html, html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'
import { pagePolicy, sourceOf } from '../../pages/style.ts'
import { WALLET_SCRIPT } from '../../pages/wallet-script.ts'
import { TIERS } from '../../schemas/common/tiers.ts'
import { DELEGATE_LIMITS, type DelegateScope } from '../../schemas/identity/delegate-terms.ts'
import { page } from '../http/pages/page.ts'

/** A request of a client that waits for a wallet. */
export interface ClientRequest {
  uid: string
  clientId: string
  /** Cleaned name of the client. */
  name: string
  redirect: string
  scopes: readonly DelegateScope[]
}

const script = html`<script type="module">${{ html: WALLET_SCRIPT }}</script>`

/** Headers of a page whose form ends at the client: a browser checks every redirect of a form against `form-action`. */
export const requestHeaders = ({ redirect }: ClientRequest) => ({
  'content-security-policy': pagePolicy({ scripts: ` ${sourceOf(WALLET_SCRIPT)}`, forms: `'self' ${describeRedirect(redirect).source}` }),
  'x-robots-tag': 'noindex, nofollow',
})

const SCOPE_WORDS: Record<DelegateScope, string> = {
  read: 'Read the account, sessions, events and disputes of the wallet',
  claim: 'Claim jobs for the wallet, with bonds from its balance',
  submit: 'Submit work in every session of the wallet: rejected work can cost the bond of that session',
}

const aboutClient = ({ clientId, name, redirect }: ClientRequest): Html => {
  const host = documentHost(clientId)
  const { words, isLocal } = describeRedirect(redirect)
  return html`${factTable([
    ['Client', name],
    ['Known by', host === null ? 'It registered itself, with an unchecked name' : `Its document at ${host}`],
    ['Sends you back to', words],
  ])}${isLocal && host !== null ? html`<p class="note">Any program on this computer can use the document of ${host}. Go on only if you have just started it.</p>` : ''}`
}

const cancelForm = ({ uid }: ClientRequest): Html =>
  html`<form method="post" action="/oauth/interaction/${uid}/cancel"><button>Cancel</button></form>`

/** Place of the buttons of the script, each with these words before the name of its wallet. */
const walletButtons = (words: string): Html => html`<div id="wallets" data-words="${words}"></div><p id="wallet-status" role="status"></p>`

const choice = (name: string, value: string, words: string): Html =>
  html`<label><input type="checkbox" name="${name}" value="${value}" checked> ${words}</label>`

const field = (name: string, words: string, value: string | number, more: Html): Html =>
  html`<label for="${name}">${words}</label><input id="${name}" name="${name}" value="${value}" required${more}>`

/** Address of a wallet, or SS58 address of a native account. */
const ADDRESS = '0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{46,50}'

/** Page on which a person chooses what the client may do, at most what it asks for. */
export const consentPage = (request: ClientRequest, symbol: string): string =>
  page(
    {
      title: 'Let a client act for your wallet',
      lead: 'Choose what it may do. Your wallet then signs one sentence that says so. No key leaves the wallet, and you can take it back at any time.',
    },
    html`${aboutClient(request)}
<form method="post" action="/oauth/interaction/${request.uid}/terms">
<h2>Your wallet</h2>
${walletButtons('Take the address from')}
${field('wallet', 'Address', '', html` pattern="${ADDRESS}" autocomplete="off" spellcheck="false"`)}
<h2>What it may do</h2>
${request.scopes.map((scope) => choice('scope', scope, SCOPE_WORDS[scope]))}
<h2>How much of it</h2>
${field('bondPerDay', `Bonds in 24 hours, in ${symbol}`, 5, html` inputmode="decimal"`)}
${field('jobsPerDay', 'Jobs in 24 hours', 10, html` inputmode="numeric"`)}
<p>Tiers of these jobs</p>
${TIERS.map((tier) => choice('tier', tier, tier))}
${field('days', `Days, at most ${DELEGATE_LIMITS.days}`, 7, html` inputmode="numeric"`)}
<button>Continue</button>
</form>
${cancelForm(request)}
${script}`,
  )

/** Page on which the wallet signs the chosen terms. `wallet` is an SS58 address for a native account. */
export const signPage = (
  request: ClientRequest,
  { message, wallet, chainId }: { message: string; wallet: string; chainId: number },
): string =>
  page(
    {
      title: 'Sign what the client may do',
      lead: 'Compare the sentence with what your wallet shows, and sign it. The signature costs nothing and moves no money.',
    },
    html`${aboutClient(request)}
<form method="post" action="/oauth/interaction/${request.uid}/sign">
<label for="message">Message</label><textarea id="message" name="message" rows="16" readonly data-wallet="${wallet}" data-chain="0x${chainId.toString(16)}">
${fieldValue(message)}</textarea>
${walletButtons('Sign with')}
<label for="signature">Signature of the wallet, by ${wallet.startsWith('0x') ? 'personal_sign' : 'signRaw'}</label><input id="signature" name="signature" required autocomplete="off" spellcheck="false">
<button>Grant it</button>
</form>
${cancelForm(request)}
${script}`,
  )
