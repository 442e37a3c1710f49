import { fieldValue, type Html, html } from '../../pages/html.ts'

/** Place of the buttons of the wallet script, each with these words before the name of its wallet. */
export const walletButtons = (words: string): Html =>
  html`<div id="wallets" data-words="${words}"></div><p id="wallet-status" role="status"></p>`

const ADDRESS = '0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{46,50}'

/** First step of a sign-in: which wallet; or a token that its reader has. */
export const signInPage = (
  next: string,
): Html => html`<form method="post" action="/sign-in/message"><input type="hidden" name="next" value="${next}">
<h2>With a wallet</h2>
${walletButtons('Take the address from')}
<label for="wallet">Address</label><input id="wallet" name="wallet" required pattern="${ADDRESS}" maxlength="60" autocomplete="off" spellcheck="false">
<button>Continue</button></form>
<form method="post" action="/sign-in/token"><input type="hidden" name="next" value="${next}">
<h2>With a token</h2>
<label for="token">Token of a service, or of an earlier sign-in</label><input id="token" name="token" type="password" required maxlength="4000" autocomplete="off">
<button>Sign in</button></form>`

/** Second step: the message that the wallet signs. */
export const messagePage = ({
  message,
  wallet,
  chainId,
  next,
}: {
  message: string
  wallet: string
  chainId: number | string
  next: string
}): Html =>
  html`<form method="post" action="/sign-in/verify"><input type="hidden" name="next" value="${next}">
<label for="message">Message</label><textarea id="message" name="message" rows="12" readonly data-wallet="${wallet}" data-chain="${typeof chainId === 'number' ? `0x${chainId.toString(16)}` : chainId}">
${fieldValue(message)}</textarea>
${walletButtons('Sign with')}
<label for="signature">Signature of the wallet</label><input id="signature" name="signature" required maxlength="2000" autocomplete="off" spellcheck="false">
<button>Sign in</button></form>
<p><a href="/sign-in">Another wallet</a></p>`
