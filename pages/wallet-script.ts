/**
 * A button for each wallet of the browser (EIP-6963), and for each extension that holds native accounts (`injectedWeb3`), which then shows its
 * accounts. A button gives an address, or signs the message, or sends the transaction in `data-transaction`: `{to, data, value, chainId, from}`
 * as JSON. On the page of a message only what can sign it has one; a transaction that was sent has none any more.
 */
export const WALLET_SCRIPT = `
let list, order
const say = (words) => { document.querySelector('#wallet-status').textContent = words }
const message = document.querySelector('[name=message]')
const signer = message?.dataset.wallet
const isNative = signer !== undefined && !signer.startsWith('0x')
const otherAccount = (account) => 'This wallet does not show the account ' + account + '. Choose the account in the wallet' + (order ? '.' : ', or go back and take another address.')
const WORDS = {
  4100: 'The wallet does not show this account to this page. Allow it in the wallet.',
  4900: 'The wallet is not connected.',
  4901: 'The wallet is not connected to this chain.',
  '-32002': 'The wallet waits for your answer. Open it.',
}
const toHex = (text) => '0x' + [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const take = (address) => {
  document.querySelector('[name=wallet]').value = address
  say('Address taken: ' + address)
}
const grant = (signature) => {
  const field = document.querySelector('[name=signature]')
  field.value = signature
  field.form.requestSubmit()
}
const wordsOf = (error) =>
  error?.code === 4001
    ? 'You refused in the wallet. Nothing is ' + (order ? 'sent.' : 'signed.')
    : WORDS[error?.code] ?? 'The wallet answered: ' + (error?.message ?? 'no reason')
let isBusy = false
const addButton = (words, action) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = words
  button.onclick = async () => {
    if (isBusy) return
    isBusy = true
    say('Waiting for the wallet.')
    try {
      await action()
    } catch (error) {
      say(wordsOf(error))
    } finally {
      isBusy = false
    }
  }
  list.append(button, ' ')
  return button
}
const shorten = (name) => String(name).slice(0, 60)
let count = 0
const add = (name, action) => {
  if (count === 0) { list.textContent = ''; say('') }
  count += 1
  addButton(list.dataset.words + ' ' + shorten(name), action)
}

const accountsOfWallet = (wallet) => wallet.request({ method: 'eth_requestAccounts' })
const chainOf = async (wallet) => Number(await wallet.request({ method: 'eth_chainId' }))
const changeChain = (wallet, chainId) => wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
const same = (wanted) => (account) => account.toLowerCase() === wanted.toLowerCase()
const takeAddress = async (wallet) => {
  const [address] = await accountsOfWallet(wallet)
  if (address === undefined) return say('The wallet shows no account to this page.')
  take(address)
}
const sign = async (wallet) => {
  const { chain } = message.dataset
  const accounts = await accountsOfWallet(wallet)
  if (!accounts.some(same(signer))) return say(otherAccount(signer))
  if ((await chainOf(wallet)) !== Number(chain)) {
    try {
      await changeChain(wallet, chain)
    } catch {
      say('The wallet stays on another chain than the message names. Its signature counts all the same, unless the wallet is a contract.')
    }
  }
  grant(await wallet.request({ method: 'personal_sign', params: [toHex(message.value), signer] }))
}

const ordered = () => JSON.parse(order.dataset.transaction)
const sentHash = () => order && sessionStorage.getItem(ordered().data)
const showSent = (hash) => {
  list.textContent = ''
  say('Sent: ' + hash + '. This page follows the chain. If it never arrives, sign again in a new tab.')
}
const send = async (wallet) => {
  const { to, data, value, chainId, from } = ordered()
  const accounts = await accountsOfWallet(wallet)
  const account = from ? accounts.find(same(from)) : accounts[0]
  if (account === undefined) return say(otherAccount(from ?? 'of the signer'))
  const chain = '0x' + chainId.toString(16)
  if ((await chainOf(wallet)) !== chainId) {
    await changeChain(wallet, chain).catch(() => undefined)
    if ((await chainOf(wallet)) !== chainId) return say('The wallet stays on another chain than ' + chainId + '. Nothing is sent. Add or choose that chain in the wallet.')
  }
  const params = [{ from: account, to, data, value: '0x' + BigInt(value).toString(16), chainId: chain }]
  const hash = await wallet.request({ method: 'eth_sendTransaction', params })
  sessionStorage.setItem(data, hash)
  showSent(hash)
  document.body.dispatchEvent(new Event('live'))
}

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
// Account id of an SS58 address: what is between prefix and checksum.
const idOf = (address) => {
  let number = 0n
  for (const letter of address) number = number * 58n + BigInt(LETTERS.indexOf(letter))
  return (number >> 16n) & ((1n << 256n) - 1n)
}
// Keys of Ethereum sign no texts of native accounts.
const accountsOf = async (extension) =>
  (await extension.accounts.get()).filter(({ address, type }) => !address.startsWith('0x') && (type === undefined || /25519$/.test(type)))
let choices = []
const showAccounts = async (extension) => {
  for (const button of choices) button.remove()
  const accounts = await accountsOf(extension)
  choices = accounts.map(({ address, name }) => addButton((name ? shorten(name) + ': ' : '') + address, async () => take(address)))
  say(accounts.length === 0 ? 'The wallet shows no account to this page.' : 'Choose an account.')
  choices[0]?.focus()
}
const signRaw = async (extension) => {
  const account = (await accountsOf(extension)).find(({ address }) => idOf(address) === idOf(signer))
  if (account === undefined) return say(otherAccount(signer))
  const { signature } = await extension.signer.signRaw({ address: account.address, data: toHex(message.value), type: 'bytes' })
  grant(signature)
}

const found = new Map()
const offer = ({ name, provider }) => add(name, () => (order ? send : message === null ? takeAddress : sign)(provider))
const start = () => {
  list = document.querySelector('#wallets')
  if (list === null) return
  order = document.querySelector('[data-transaction]')
  count = 0
  if (sentHash()) return showSent(sentHash())
  for (const wallet of found.values()) offer(wallet)
  if (!isNative) {
    dispatchEvent(new Event('eip6963:requestProvider'))
    if (found.size === 0 && window.ethereum !== undefined) offer({ name: 'the wallet of this browser', provider: window.ethereum })
  }
  if (!order && (message === null || isNative))
    for (const [name, { enable }] of Object.entries(window.injectedWeb3 ?? {}))
      add(name, async () => (message === null ? showAccounts : signRaw)(await enable(location.host)))
  if (count === 0) say('This browser has no wallet. ' + (order ? 'Sign the data with another tool.' : 'Enter the value by hand.'))
}
if (!isNative)
  addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
    if (found.has(info.uuid)) return
    found.set(info.uuid, { name: info.name, provider })
    if (list && !sentHash()) offer(found.get(info.uuid))
  })
start()
// A live update replaces the buttons of a transaction.
addEventListener('htmx:after:swap', start)
`
