/**
 * A button for each wallet of the browser (EIP-6963), and for each extension that holds native accounts (`injectedWeb3`), which then shows its
 * accounts. A button gives an address, or signs the message; on the page of a message only what can sign it has one.
 */
export const WALLET_SCRIPT = `
const list = document.querySelector('#wallets')
const status = document.querySelector('#wallet-status')
const message = document.querySelector('[name=message]')
const signer = message?.dataset.wallet
const isNative = signer !== undefined && !signer.startsWith('0x')
const OTHER_ACCOUNT = 'This wallet does not show the account ' + signer + '. Choose the account in the wallet, or go back and take another address.'
const WORDS = {
  4001: 'You refused in the wallet. Nothing is granted.',
  4100: 'The wallet does not show this account to this page. Allow it in the wallet.',
  4900: 'The wallet is not connected.',
  '-32002': 'The wallet waits for your answer. Open it.',
}
const toHex = (text) => '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const take = (address) => {
  document.querySelector('[name=wallet]').value = address
  status.textContent = 'Address taken: ' + address
}
const grant = (signature) => {
  const field = document.querySelector('[name=signature]')
  field.value = signature
  field.form.requestSubmit()
}
const addButton = (words, action) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = words
  button.onclick = async () => {
    status.textContent = 'Waiting for the wallet.'
    try {
      await action()
    } catch (error) {
      status.textContent = WORDS[error?.code] ?? 'The wallet answered: ' + (error?.message ?? 'no reason')
    }
  }
  list.append(button, ' ')
  return button
}
const shorten = (name) => String(name).slice(0, 60)
let count = 0
const add = (name, action) => {
  if (count === 0) list.textContent = status.textContent = ''
  count += 1
  addButton(list.dataset.words + ' ' + shorten(name), action)
}

const takeAddress = async (wallet) => {
  const [address] = await wallet.request({ method: 'eth_requestAccounts' })
  if (address === undefined) { status.textContent = 'The wallet shows no account to this page.'; return }
  take(address)
}
const sign = async (wallet) => {
  const { chain } = message.dataset
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  if (!accounts.some((account) => account.toLowerCase() === signer.toLowerCase())) {
    status.textContent = OTHER_ACCOUNT
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
  grant(await wallet.request({ method: 'personal_sign', params: [toHex(message.value), signer] }))
}

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
// Account id of an SS58 address of any network: what is between the prefix and the checksum.
const idOf = (address) => {
  let number = 0n
  for (const letter of address) number = number * 58n + BigInt(LETTERS.indexOf(letter))
  return (number >> 16n) & ((1n << 256n) - 1n)
}
// Extensions also hold keys of Ethereum, which sign no texts of native accounts.
const accountsOf = async (extension) =>
  (await extension.accounts.get()).filter(({ address, type }) => !address.startsWith('0x') && (type === undefined || /25519$/.test(type)))
let choices = []
const showAccounts = async (extension) => {
  for (const button of choices) button.remove()
  const accounts = await accountsOf(extension)
  choices = accounts.map(({ address, name }) => addButton((name ? shorten(name) + ': ' : '') + address, async () => take(address)))
  status.textContent = accounts.length === 0 ? 'The wallet shows no account to this page.' : 'Choose an account.'
  choices[0]?.focus()
}
const signRaw = async (extension) => {
  const account = (await accountsOf(extension)).find(({ address }) => idOf(address) === idOf(signer))
  if (account === undefined) { status.textContent = OTHER_ACCOUNT; return }
  const { signature } = await extension.signer.signRaw({ address: account.address, data: toHex(message.value), type: 'bytes' })
  grant(signature)
}

const found = new Set()
if (!isNative) {
  addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
    if (found.has(info.uuid)) return
    found.add(info.uuid)
    add(info.name, () => (message === null ? takeAddress : sign)(provider))
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  if (found.size === 0 && window.ethereum !== undefined)
    add('the wallet of this browser', () => (message === null ? takeAddress : sign)(window.ethereum))
}
if (message === null || isNative)
  for (const [name, { enable }] of Object.entries(window.injectedWeb3 ?? {}))
    add(name, async () => (message === null ? showAccounts : signRaw)(await enable(location.host)))
if (count === 0) status.textContent = 'This browser has no wallet. Enter the value by hand.'
`
