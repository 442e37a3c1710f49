// The script of the wallet buttons, run without a browser: what it asks of a wallet that sends a transaction, and what it says.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { WALLET_SCRIPT } from '../../pages/wallet-script.ts'

const ACCOUNT = `0x${'Ab'.repeat(20)}`
const CHAIN = 420_420_417
const TRANSACTION = { to: `0x${'1'.repeat(40)}`, data: '0xabcdef', value: '0', chainId: CHAIN, from: ACCOUNT.toLowerCase() }
const HASH = `0x${'9'.repeat(64)}`

type Answer = (params: unknown[]) => unknown
const fail =
  (code: number, message = 'no') =>
  (): never => {
    throw Object.assign(new Error(message), { code })
  }

/** A page with a transaction to sign, and one wallet with these answers. */
const openPage = (answers: Record<string, Answer> = {}) => {
  const buttons: { textContent: string; onclick: () => Promise<void> }[] = []
  const status = { textContent: '' }
  const list = {
    dataset: { words: 'Sign with' },
    append: (button: (typeof buttons)[number]) => buttons.push(button),
    set textContent(_text: string) {
      buttons.length = 0
    },
  }
  const elements: Record<string, unknown> = {
    '#wallets': list,
    '#wallet-status': status,
    '[data-transaction]': { dataset: { transaction: JSON.stringify(TRANSACTION) } },
  }
  const asked: { method: string; params?: unknown[] }[] = []
  let chain = CHAIN
  const usual: Record<string, Answer> = {
    eth_requestAccounts: () => [ACCOUNT],
    eth_chainId: () => `0x${chain.toString(16)}`,
    wallet_switchEthereumChain: (params) => {
      chain = Number((params[0] as { chainId: string }).chainId)
    },
    eth_sendTransaction: () => HASH,
  }
  const request = async (sent: { method: string; params?: unknown[] }) => {
    asked.push(sent)
    return (answers[sent.method] ?? usual[sent.method])?.(sent.params ?? [])
  }
  const listeners = new Map<string, (event: unknown) => void>()
  const kept = new Map<string, string>()
  const detail = { info: { uuid: 'one', name: 'Test wallet' }, provider: { request } }
  runInNewContext(WALLET_SCRIPT, {
    document: { querySelector: (name: string) => elements[name] ?? null, createElement: () => ({}), body: { dispatchEvent: () => true } },
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    dispatchEvent: ({ type }: { type: string }) => {
      if (type === 'eip6963:requestProvider') listeners.get('eip6963:announceProvider')?.({ detail })
    },
    Event,
    TextEncoder,
    sessionStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) },
    window: {},
  })
  return {
    buttons,
    status,
    press: () => buttons[0]?.onclick(),
    swap: () => listeners.get('htmx:after:swap')?.({}),
    leaveChain: () => {
      chain = 1
    },
    sent: () => asked.filter(({ method }) => method === 'eth_sendTransaction'),
  }
}

test('sends the transaction with the account of the reader, once, and shows its hash', async () => {
  const page = openPage()
  expect(page.buttons.map(({ textContent }) => textContent)).toEqual(['Sign with Test wallet'])
  const [button] = page.buttons
  await Promise.all([button?.onclick(), button?.onclick()])
  expect(page.sent()).toEqual([
    {
      method: 'eth_sendTransaction',
      params: [{ from: ACCOUNT, to: TRANSACTION.to, data: '0xabcdef', value: '0x0', chainId: '0x190f1b41' }],
    },
  ])
  expect(page.status.textContent).toContain(`Sent: ${HASH}`)
  page.swap()
  expect(page.buttons).toEqual([])
  expect(page.status.textContent).toContain(HASH)
})

test('a live update gives the buttons back', () => {
  const page = openPage()
  page.buttons.length = 0
  page.swap()
  expect(page.buttons).toHaveLength(1)
})

test('a wallet on another chain is asked to change to it', async () => {
  const page = openPage()
  page.leaveChain()
  await page.press()
  expect(page.sent()).toHaveLength(1)
})

describe('nothing is sent, and the page says why', () => {
  test.each<[string, Record<string, Answer>, string]>([
    [
      'an unknown chain',
      { eth_chainId: () => '0x1', wallet_switchEthereumChain: fail(4902) },
      `another chain than ${CHAIN}. Nothing is sent.`,
    ],
    ['a chain that stays', { eth_chainId: () => '0x1', wallet_switchEthereumChain: () => null }, 'Nothing is sent.'],
    ['another account', { eth_requestAccounts: () => [TRANSACTION.to] }, `does not show the account ${TRANSACTION.from}`],
    ['no account', { eth_requestAccounts: () => [] }, 'does not show the account'],
    ['a locked wallet', { eth_requestAccounts: fail(4100) }, 'Allow it in the wallet.'],
    ['an open question', { eth_requestAccounts: fail(-32_002) }, 'The wallet waits for your answer. Open it.'],
    ['a wallet without connection', { eth_chainId: fail(4900) }, 'The wallet is not connected.'],
  ])('%s', async (_name, answers, words) => {
    const page = openPage(answers)
    await page.press()
    expect(page.status.textContent).toContain(words)
    expect(page.sent()).toEqual([])
  })

  test.each([
    ['a refusal', fail(4001), 'You refused in the wallet. Nothing is sent.'],
    ['an unknown error', fail(1, 'The device is off.'), 'The wallet answered: The device is off.'],
  ])('%s leaves the button for another try', async (_name, answer, words) => {
    const page = openPage({ eth_sendTransaction: answer })
    await page.press()
    expect([page.status.textContent, page.buttons.length]).toEqual([words, 1])
    await page.press()
    expect(page.sent()).toHaveLength(2)
  })
})

test('is at most 7 kB', () => expect(Buffer.byteLength(WALLET_SCRIPT)).toBeLessThanOrEqual(7_000))
