import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createNativeSide } from '../../../local/chain/native-side.ts'
import { createRpc } from '../../../local/chain/rpc.ts'
import { type LocalChain, startChain } from '../../../local/chain/start.ts'
import { type StateFiles, stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses, type Processes } from '../../../local/processes.ts'
import { ETHEREUM_ACCOUNT, NATIVE_ACCOUNT } from '../../domain/identity/native/accounts.ts'
import { openDirectory } from '../../support/state-directory.ts'

const ONE = 10n ** 18n
const DEPOSIT = 200_520_000_000_000_000n
const say = () => undefined

let directory: string
let files: StateFiles
let processes: Processes
let port: number
let chain: LocalChain

const start = async (): Promise<void> => {
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
}
beforeEach(async () => {
  directory = openDirectory('native-side')
  files = stateFiles(directory)
  processes = createProcesses({ logs: files.logs, recordFile: files.processes, onDeath: () => undefined })
  const chosen = await choosePorts({ rpc: 0 })
  port = chosen.ports.rpc
  await chosen.release()
  await start()
})
afterEach(async () => {
  await chain.stop()
  processes.close()
  rmSync(directory, { recursive: true, force: true })
})

const side = () => createNativeSide(chain.rpcUrl)
const head = () => createRpc(chain.rpcUrl)<{ hash: string; number: string }>('eth_getBlockByNumber', ['latest', false])
const standing = () => side().standingOf(NATIVE_ACCOUNT)
const kill = async (): Promise<void> => {
  await processes.stop(chain.child, 0, 'SIGKILL')
  await chain.stop()
}

test.each<[string, () => Promise<void>]>([
  ['was stopped', () => chain.stop()],
  ['was killed', kill],
  [
    'lost its saved state',
    async () => {
      await chain.stop()
      rmSync(files.chainState)
    },
  ],
  [
    'has a damaged state',
    async () => {
      await chain.stop()
      writeFileSync(files.chainState, '{"block":')
    },
  ],
])('a mapping and its deposit survive the restart of a chain that %s', async (_how, end) => {
  await side().fund(NATIVE_ACCOUNT, ONE)
  await side().map(NATIVE_ACCOUNT)
  await chain.flush()
  const before = await head()
  await end()
  await start()
  expect(await head()).toMatchObject({ hash: before.hash, number: before.number })
  expect(await standing()).toEqual({ freeWei: ONE - DEPOSIT, heldWei: DEPOSIT, mapping: 'mapped' })
  await side().unmap(NATIVE_ACCOUNT)
  expect(await standing()).toEqual({ freeWei: ONE, heldWei: 0n, mapping: 'unmapped' })
})

test('a chain with native accounts that has no block yet serves them after its restart', async () => {
  await kill()
  await start()
  await side().fund(NATIVE_ACCOUNT, ONE)
  expect(await standing()).toEqual({ freeWei: ONE, heldWei: 0n, mapping: 'unmapped' })
})

test('an account keeps its deposit and the minimum, and its end takes the mapping with it', async () => {
  await expect(side().fund(NATIVE_ACCOUNT, 1n)).rejects.toThrow('AccountNotFunded')
  await side().fund(NATIVE_ACCOUNT, DEPOSIT)
  await expect(side().map(NATIVE_ACCOUNT)).rejects.toThrow('AccountNotFunded')
  await expect(side().unmap(NATIVE_ACCOUNT)).rejects.toThrow('NotMapped')
  await side().fund(NATIVE_ACCOUNT, ONE)
  await side().map(NATIVE_ACCOUNT)
  await expect(side().map(NATIVE_ACCOUNT)).rejects.toThrow('AlreadyMapped')
  await side().reap(NATIVE_ACCOUNT)
  expect(await standing()).toEqual({ freeWei: 0n, heldWei: 0n, mapping: 'unmapped' })
  await side().fund(ETHEREUM_ACCOUNT, ONE)
  await expect(side().map(ETHEREUM_ACCOUNT)).rejects.toThrow('AccountIsEthereum')
  expect((await side().standingOf(ETHEREUM_ACCOUNT)).mapping).toBe('mapped')
})
