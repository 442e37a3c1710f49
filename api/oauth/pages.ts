import { describeRedirect, documentHost } from '../../domain/oauth/clients.ts'
import { TIERS } from '../../schemas/common/tiers.ts'
import { DELEGATE_LIMITS, type DelegateScope } from '../../schemas/identity/delegate-terms.ts'
import { fieldValue, type Html, html } from '../http/pages/html.ts'
import { page } from '../http/pages/page.ts'
import { factTable } from '../http/pages/parts.ts'
import { pagePolicy, sourceOf } from '../http/pages/style.ts'

/** A request of a client that waits for a wallet. */
export interface ClientRequest {
  uid: string
  clientId: string
  /** Cleaned name of the client. */
  name: string
  redirect: string
  scopes: readonly DelegateScope[]
}

/** A button for each wallet of the browser (EIP-6963): it gives its address, or signs the message. */
const WALLET_SCRIPT = `
const list = document.querySelector('#wallets')
const status = document.querySelector('#wallet-status')
const message = document.querySelector('[name=message]')
const WORDS = {
  4001: 'You refused in the wallet. Nothing is granted.',
  4100: 'The wallet does not show this account to this page. Allow it in the wallet.',
  4900: 'The wallet is not connected.',
  '-32002': 'The wallet waits for your answer. Open it.',
}
const takeAddress = async (wallet) => {
  const [address] = await wallet.request({ method: 'eth_requestAccounts' })
  if (address === undefined) { status.textContent = 'The wallet shows no account to this page.'; return }
  document.querySelector('[name=wallet]').value = address
  status.textContent = 'Address taken: ' + address
}
const sign = async (wallet) => {
  const { wallet: signer, chain } = message.dataset
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  if (!accounts.some((account) => account.toLowerCase() === signer.toLowerCase())) {
    status.textContent = 'This wallet does not show the account ' + signer + '. Choose the account in the wallet, or go back and take another address.'
    return
  }
  const current = await wallet.request({ method: 'eth_chainId' })
  if (Number(current) !== Number(chain)) {
    try {
      await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chain }] })
    } catch {
      status.textContent = 'The wallet stays on another chain than the message names. Its signature counts all the same, unless the wallet is a contract.'
    }
  }
  const hex = '0x' + [...new TextEncoder().encode(message.value)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const field = document.querySelector('[name=signature]')
  field.value = await wallet.request({ method: 'personal_sign', params: [hex, signer] })
  field.form.requestSubmit()
}
const add = (name, wallet) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = list.dataset.words + ' ' + name
  button.onclick = async () => {
    status.textContent = 'Waiting for the wallet.'
    try {
      await (message === null ? takeAddress : sign)(wallet)
    } catch (error) {
      status.textContent = WORDS[error?.code] ?? 'The wallet answered: ' + (error?.message ?? 'no reason')
    }
  }
  list.append(button, ' ')
}
const found = new Set()
addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
  if (found.has(info.uuid)) return
  if (found.size === 0) list.textContent = status.textContent = ''
  found.add(info.uuid)
  add(String(info.name).slice(0, 60), provider)
})
dispatchEvent(new Event('eip6963:requestProvider'))
if (found.size === 0 && window.ethereum !== undefined) add('the wallet of this browser', window.ethereum)
else if (found.size === 0) status.textContent = 'This browser has no wallet. Enter the value by hand.'
`

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
${field('wallet', 'Address', '', html` pattern="0x[0-9a-fA-F]{40}" autocomplete="off" spellcheck="false"`)}
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

/** Page on which the wallet signs the chosen terms. */
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
<label for="signature">Signature of the wallet, by personal_sign</label><input id="signature" name="signature" required autocomplete="off" spellcheck="false">
<button>Grant it</button>
</form>
${cancelForm(request)}
${script}`,
  )
