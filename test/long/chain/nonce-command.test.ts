import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readCommand } from '../../../workers/nonce.ts'
import { type Journal, operator, signer, startJournal } from '../../activities/support/journal-world.ts'
import { OPERATOR_KEY } from '../../contracts/support/world.ts'

const SCRIPT = fileURLToPath(new URL('../../../workers/nonce.ts', import.meta.url))

let journal: Journal
let directory: string
beforeAll(async () => {
  ;[journal, directory] = await Promise.all([startJournal(), mkdtemp(join(tmpdir(), 'nonce-'))])
  const { deployment, rpcUrl } = journal.world
  const { chainId, asset, contracts } = deployment
  const chain = { chainId, asset, contracts, caip2: `eip155:${chainId}`, name: 'test', rpc: { primary: rpcUrl }, nativeSymbol: 'DOT' }
  writeFileSync(join(directory, 'chain.json'), JSON.stringify(chain))
  await journal.transactions().send('operator', [journal.mint()])
})
afterAll(async () => {
  await journal.stop()
  await rm(directory, { recursive: true })
})

const run = (...args: string[]) => {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, DATABASE_URL: journal.databaseUrl, CHAIN_FILE: join(directory, 'chain.json'), OPERATOR_KEY }
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { env, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

describe('the command', () => {
  test.each([
    [['status'], { act: 'status' }],
    [['replace', '7'], { act: 'replace', nonce: 7, signer: 'operator' }],
    [['fill', '0', '--signer', 'verifier'], { act: 'fill', nonce: 0, signer: 'verifier' }],
    [['resend', '3', '--signer', 'arbitrator'], { act: 'resend', nonce: 3, signer: 'arbitrator' }],
    [[], null],
    [['replace'], null],
    [['replace', '-1'], null],
    [['replace', '7', '8'], null],
    [['replace', '7', '--signer', 'nobody'], null],
    [['status', '7'], null],
    [['--force'], null],
  ])('%j is read as %j', (args, expected) => {
    expect(readCommand(args)).toEqual(expected)
  })

  test('does nothing on a node of another chain than its file says', () => {
    const path = join(directory, 'chain.json')
    const stored = readFileSync(path, 'utf8')
    const { chainId } = JSON.parse(stored)
    writeFileSync(path, JSON.stringify({ ...JSON.parse(stored), chainId: chainId + 1 }))
    const { status, text } = run('fill', '0')
    writeFileSync(path, stored)
    expect(status).toBe(1)
    expect(text).toContain(`the chain file says chain ${chainId + 1}, the node says ${chainId}`)
  })

  test('shows the signer with its oldest open transactions, replaces one, and says what it came to', async () => {
    await journal.mining(false)
    const outcome = journal.transactions().send('operator', [journal.mint('typed')])
    const { nonce, txHash } = await journal.untilStatus('typed', 'broadcast')
    const before = run('status')
    expect(before.status).toBe(0)
    for (const part of [`${signer} (operator)`, `next nonce ${nonce + 1}`, `counted ${nonce}`, 'mint', 'gwei', txHash, 'typed'])
      expect(before.text).toContain(part)

    const replaced = run('replace', String(nonce))
    const row = await journal.rowOf('typed')
    expect([replaced.status, row.txHash !== txHash, row.status]).toEqual([0, true, 'broadcast'])
    for (const part of [`replaced nonce ${nonce} of ${operator.address.toLowerCase()}`, row.txHash, txHash])
      expect(replaced.text).toContain(part)
    expect(`${before.text}${replaced.text}`).not.toContain(row.rawTransaction.slice(0, 40))
    await journal.mining(true)
    await journal.mine()
    expect((await outcome)[0]?.txHash).toBe(row.txHash)
  })

  test('hands out again what a reorganisation took, and what waited behind it is mined', async () => {
    await journal.transactions().send('operator', [journal.mint('lost')])
    const { nonce, txHash } = await journal.rowOf('lost')
    await journal.world.rpc('anvil_reorg', 1, [])
    const outcome = journal.transactions().send('operator', [journal.mint('after')])
    await journal.untilStatus('after', 'broadcast')
    journal.pass(10)
    expect((await journal.status()).trouble).toMatchObject({ kind: 'behind', nonce })
    expect(run('replace', String(nonce)).text).toContain('not_pending')
    expect(run('resend', String(nonce))).toMatchObject({
      status: 0,
      text: expect.stringContaining(`resent nonce ${nonce} of ${signer}: ${txHash}`),
    })
    expect((await outcome)[0]?.status).toBe('mined')
    expect((await journal.status()).trouble).toBeNull()
    expect(run('resend', String(nonce)).text).toContain('nothing was changed (nonce_used)')
    expect(run('resend', String(nonce + 9)).text).toContain('no_row')
  })

  test('says why it changed nothing, and ends with 1', async () => {
    const { nonce } = await journal.rowOf('typed')
    expect(run('replace', String(nonce))).toMatchObject({ status: 1, text: expect.stringContaining('nothing was changed (not_pending)') })
    expect(run('fill', String(nonce + 9))).toMatchObject({ status: 1, text: expect.stringContaining('not_handed_out') })
    expect(run('fill', '1', '--signer', 'verifier')).toMatchObject({ status: 1, text: expect.stringContaining('no verifier key') })
    expect(run('nonsense')).toMatchObject({ status: 1, text: expect.stringContaining('usage:') })
  })
})
