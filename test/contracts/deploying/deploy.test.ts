import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  type Abi,
  type AbiParameter,
  type Address,
  type BaseError,
  erc20Abi,
  type Hex,
  keccak256,
  parseGwei,
  RpcRequestError,
  toHex,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from '../../../activities/chain/abi/hydration-usdc-adapter.ts'
import { strategyAdapterRegistryAbi } from '../../../activities/chain/abi/strategy-adapter-registry.ts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../../../activities/chain/abi/xcm-wrapper.ts'
import { checkDeployment } from '../../../contracts/check.ts'
import { deploy, fundBank, type Sending } from '../../../contracts/deployment/acts.ts'
import { readCommand } from '../../../contracts/deployment/cli.ts'
import { readConfig } from '../../../contracts/deployment/config.ts'
import { estimatePlan } from '../../../contracts/deployment/dry-run.ts'
import type { Signed } from '../../../contracts/deployment/journal.ts'
import { readKeyFile } from '../../../contracts/deployment/key-file.ts'
import { deploymentPlan } from '../../../contracts/deployment/plan.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { DeploymentConfig } from '../../../schemas/chain/deployment.ts'
import { POOL_SEED_RAW } from '../../../schemas/pool/record.ts'
import { OPERATOR_KEY, WORKER_KEY, who } from '../support/world.ts'
import { sweep } from './cut-sweep.ts'
import { nonceOf, noncesIn, openWay, readJournal } from './cuts.ts'
import {
  accept,
  createToken,
  DEPLOYER,
  DEPLOYER_KEY,
  fuel,
  NEW_OWNER,
  openPlace,
  type Place,
  readFile,
  sendingAt,
  wholeConfig,
  writeKey,
} from './deployed.ts'

let place: Place
beforeEach(async () => {
  place = await openPlace()
})
afterEach(() => place.anvil.stop())

const out = () => place.path('chain.json')
const journal = () => place.path('deploy.jsonl')
const run = (changes: Partial<Sending> = {}, config: DeploymentConfig = wholeConfig, key: Hex = DEPLOYER_KEY) =>
  deploy(sendingAt(place, journal(), key, changes), { rpcUrl: place.anvil.rpcUrl, config, out: out() })

/** Without savings and other chains, with a token that was there before. */
const smallConfig = async (): Promise<DeploymentConfig> => {
  const { savings: _, crossChain: __, pauser: ___, testChain: ____, ...rest } = wholeConfig
  const asset = { address: await createToken(place), symbol: 'USDC', decimals: 6, eip712Name: 'USD Coin', eip712Version: '2' }
  return { ...rest, testChain: false, asset }
}

describe('a deployment that is cut', () => {
  // The long tier plays every step and point.
  test('goes on where it was, and sends no step twice', async () => {
    await sweep([
      [0, 'unsigned'],
      [1, 'sent'],
      [21, 'signed'],
      [40, 'mined'],
    ])
  })

  test('drops the line that was cut, and keeps the journal to its owner', async () => {
    const config = await smallConfig()
    await run({}, config)
    const lines = readFileSync(journal(), 'utf8').trimEnd().split('\n')
    writeFileSync(journal(), `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 20)}`)
    await run({}, config)
    expect(readFileSync(journal(), 'utf8')).toBe(`${lines.join('\n')}\n`)
    expect(statSync(journal()).mode & 0o777).toBe(0o600)
    expect(readFileSync(journal(), 'utf8')).not.toContain(DEPLOYER_KEY.slice(2))
  })

  test('refuses the journal of another chain, sender or plan, a damaged one, and one in use', async () => {
    const config = await smallConfig()
    await run({}, config)
    const before = readFileSync(journal(), 'utf8')
    await place.rpc('anvil_setBalance', privateKeyToAccount(WORKER_KEY).address, toHex(10n ** 20n))
    await expect(run({}, config, WORKER_KEY)).rejects.toThrow('belongs to another sender')
    await expect(run({}, { ...config, parameters: { claimFeeBps: 7 } })).rejects.toThrow('belongs to another plan or build')
    writeFileSync(journal(), before.replace(/"genesis":"0x\w+"/, `"genesis":"${zeroHash}"`))
    await expect(run({}, config)).rejects.toThrow('belongs to another chain')
    writeFileSync(journal(), before.replace('"state":"mined"', '"state'))
    await expect(run({}, config)).rejects.toThrow(/line \d+ of .* is damaged/)
    writeFileSync(journal(), before)
    writeFileSync(`${journal()}.lock`, String(process.ppid))
    await expect(run({}, config)).rejects.toThrow(`process ${process.ppid} uses`)
    expect(await nonceOf(place, DEPLOYER)).toBe(noncesIn(journal()).length)
  })
})

describe('a chain that replaces blocks', () => {
  test('gets the same bytes again, and is waited for until enough blocks lie on top', async () => {
    const config = { ...(await smallConfig()), confirmations: 2 }
    const snapshot = await place.rpc('evm_snapshot')
    const mineUntil = async (work: Promise<unknown>): Promise<void> => {
      let isOver = false
      const end = work.finally(() => {
        isOver = true
      })
      while (!isOver) await place.rpc('evm_mine')
      await end
    }
    await mineUntil(run({}, config))
    const [signed, chain] = [noncesIn(journal()), readFile(out())]
    await place.rpc('evm_revert', snapshot)
    expect(await nonceOf(place, DEPLOYER)).toBe(0)
    await mineUntil(run({}, config))
    expect(noncesIn(journal())).toEqual(signed)
    expect(readFile(out()).contracts.policy.address).toBe(chain.contracts.policy.address)
    const last = readJournal(journal()).at(-1) as { block?: number }
    expect(Number(await place.rpc('eth_blockNumber'))).toBeGreaterThanOrEqual(Number(last.block) + 2)
  })
})

describe('a transaction that does not go through', () => {
  /** A journal whose first step is signed as given. */
  const signedFirst = async (config: DeploymentConfig, gas: bigint): Promise<Signed> => {
    await place.rpc('evm_setAutomine', false)
    await expect(run({ waitMs: 1 }, config)).rejects.toThrow(/policy: 0x\w+ is not mined yet .* run the same command again, with --retry/)
    await place.rpc('anvil_dropAllTransactions')
    const [head, first] = readJournal(journal()) as unknown as [object, Signed]
    const { bytecode } = await import('../../../contracts/artifact.ts').then(({ loadArtifact }) => loadArtifact('TreasuryPolicy'))
    const raw = await privateKeyToAccount(DEPLOYER_KEY).signTransaction({ chainId: 31_337, type: 'eip1559', nonce: 0, gas, data: bytecode })
    const entry = { ...first, raw, hash: keccak256(raw) }
    writeFileSync(journal(), `${JSON.stringify(head)}\n${JSON.stringify(entry)}\n`)
    await place.rpc('evm_setAutomine', true)
    return entry
  }

  test('is replaced at its own nonce with --retry alone, for a higher fee within the cap', async () => {
    const config = await smallConfig()
    await place.rpc('evm_setAutomine', false)
    await expect(run({ waitMs: 1 }, config)).rejects.toThrow('is not mined yet')
    await expect(run({ waitMs: 1 }, config)).rejects.toThrow('is not mined yet')
    expect(noncesIn(journal())).toEqual([0])
    await expect(run({ waitMs: 1, retry: true }, config)).rejects.toThrow('the cap is 0 gwei: wait, or raise --max-fee-gwei')
    await expect(run({ waitMs: 1, retry: true, maxFee: parseGwei('1') }, config)).rejects.toThrow('is not mined yet')
    expect(noncesIn(journal())).toEqual([0, 0])
    await place.rpc('evm_setAutomine', true)
    await place.rpc('evm_mine')
    await run({}, config)
    expect(await nonceOf(place, DEPLOYER)).toBe(new Set(noncesIn(journal())).size)
  })

  test('stops the deployment when it was reverted, and is signed again with --retry', async () => {
    const config = await smallConfig()
    await signedFirst(config, 500_000n)
    await expect(run({}, config)).rejects.toThrow(/policy: 0x\w+ was reverted in block \d+: .* run with --retry/)
    await expect(run({}, config)).rejects.toThrow('was reverted')
    expect(await nonceOf(place, DEPLOYER)).toBe(1)
    await run({ retry: true }, config)
    expect(noncesIn(journal()).slice(0, 3)).toEqual([0, 1, 2])
  })

  test('stops the deployment when another one took its nonce', async () => {
    const config = await smallConfig()
    await signedFirst(config, 5_000_000n)
    await place.act(DEPLOYER, who.stranger, '0x')
    await expect(run({}, config)).rejects.toThrow(/policy: another transaction of 0x\w+ took nonce 0/)
  })

  test('waits for one that the journal does not know', async () => {
    const config = await smallConfig()
    await place.rpc('evm_setAutomine', false)
    await place.rpc('eth_sendTransaction', { from: DEPLOYER, to: who.stranger, gasPrice: '0x0' })
    await expect(run({}, config)).rejects.toThrow('that this journal does not know waits to be mined')
    expect(noncesIn(journal())).toEqual([])
  })
})

describe('the funds of curated jobs', () => {
  test('are deposited once, whatever cuts the command', async () => {
    await run()
    const way = await openWay(place)
    const args = ['fund-bank', out(), '--amount', '2.5', '--rpc', way.url, '--key-file', writeKey(place.path('operator.key'), OPERATOR_KEY)]
    const cuts = [
      { nth: 1, point: 'signed' },
      { nth: 2, point: 'sent' },
    ] as const
    for (const cut of cuts) expect((await way.run(args, cut)).wasCut).toBe(true)
    for (const text of ['has got 2.5 USDC', 'nothing was sent']) expect((await way.run(args)).output).toContain(text)
    expect(noncesIn(`${out()}.bank.jsonl`)).toEqual([0, 1, 2])
    const { contracts, asset } = readFile(out())
    const read = { address: contracts.agentAccount.address, abi: agentAccountCoreAbi, functionName: 'positions' } as const
    expect((await place.client.readContract({ ...read, args: [who.operator, asset.address] }))[0]).toBe(2_500_000n)
    const other = await way.run([...args.slice(0, 3), '0.0000001', ...args.slice(4)])
    expect([other.code, other.output]).toEqual([
      1,
      'bad settings: --amount: 0.0000001 is no amount above zero with at most 6 digits after the point\n',
    ])
    way.close()
  })

  test('and the seed of a pool are sent once, whatever cuts the command', async () => {
    await run()
    const way = await openWay(place)
    const key = writeKey(place.path('operator.key'), OPERATOR_KEY)
    const args = ['seed-pools', out(), '--pool', 'deposit', '--rpc', way.url, '--key-file', key]
    const cuts = [
      { nth: 1, point: 'sent' },
      { nth: 2, point: 'signed' },
      { nth: 2, point: 'mined' },
    ] as const
    for (const cut of cuts) expect((await way.run(args, cut)).wasCut).toBe(true)
    expect((await way.run(args)).output).toContain('the depositPool has its seed')
    const journalOfSeed = `${out()}.deposit-seed.jsonl`
    expect(noncesIn(journalOfSeed)).toEqual([0, 1, 2])
    rmSync(journalOfSeed)
    expect((await way.run(args)).output).toContain('the depositPool has its seed already; nothing was sent')
    const { contracts, asset } = readFile(out())
    const balance = {
      address: asset.address,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [contracts.depositPool?.address as Address],
    } as const
    expect([await place.client.readContract(balance), await nonceOf(place, who.operator)]).toEqual([POOL_SEED_RAW, 3])
    way.close()
  })
})

describe('a foreign deployment', () => {
  test('without savings checks green, with its config and without any', async () => {
    const config = await smallConfig()
    await run({}, config)
    await accept(place, readFile(out()))
    await fuel(place)
    const chain = readFile(out())
    const sending = sendingAt(place, place.path('bank.jsonl'), OPERATOR_KEY)
    const fund = (amount: bigint) => fundBank(sending, { chain, config: undefined, amount })
    await expect(fund(5n)).rejects.toThrow('has 0 USDC and needs 0.000005; nothing was sent')
    const token = chain.asset.address
    await place.call(who.stranger, token, MINT, 'mint', who.operator, 9n)
    await fund(5n)
    const [sent, again] = [await nonceOf(place, who.operator), await fund(5n)]
    expect([again.lines[0], await nonceOf(place, who.operator)]).toEqual([expect.stringContaining('nothing was sent'), sent])
    expect(await checkDeployment(place.client, chain)).toEqual([])
    const { deployment: _, ...foreign } = chain
    expect(await checkDeployment(place.client, foreign)).toEqual([])
    expect(await checkDeployment(place.client, foreign, config)).toEqual([])
    await place.call(NEW_OWNER, chain.contracts.policy.address, treasuryPolicyAbi, 'setVerifier', who.verifier, false)
    expect((await checkDeployment(place.client, foreign)).map(({ name }) => name)).toEqual(['policy.verifiers'])
  })
})

const MINT = [
  { type: 'function', name: 'mint', inputs: [{ type: 'address' }, { type: 'uint256' }], outputs: [], stateMutability: 'nonpayable' },
] as const

/** Some value of a type. */
const some = (parameter: AbiParameter): unknown => {
  if ('components' in parameter && !parameter.type.endsWith(']')) return parameter.components.map(some)
  if (parameter.type.endsWith('[]')) return []
  // No caller is this account: it would act for itself.
  if (parameter.type === 'address') return who.poster
  if (parameter.type === 'bool') return true
  if (parameter.type === 'string') return ''
  if (/^u?int/.test(parameter.type)) return Number(parameter.type.slice(4)) <= 48 ? 1 : 1n
  return parameter.type === 'bytes' ? '0x' : toHex(1, { size: Number(parameter.type.slice(5)) })
}

const contractsOf = ({ contracts }: ChainFile): readonly (readonly [string, Address, Abi])[] => [
  ['policy', contracts.policy.address, treasuryPolicyAbi],
  ['registry', contracts.registry.address, strategyAdapterRegistryAbi],
  ['agentAccount', contracts.agentAccount.address, agentAccountCoreAbi],
  ['escrow', contracts.escrow.generations[0]?.address as Address, escrowCoreAbi],
  ['wrapper', contracts.xcm?.wrapper.address as Address, xcmWrapperAbi],
  ['adapter', contracts.xcm?.adapter.address as Address, hydrationUsdcAdapterAbi],
]

describe('the ownership', () => {
  /** What a call of an account would be answered, by its selector. */
  const answerTo = async (account: Address, address: Address, item: Extract<Abi[number], { type: 'function' }>): Promise<string> => {
    const call = { account, address, abi: [item], functionName: item.name, args: item.inputs.map(some) }
    return place.client.simulateContract(call as never).then(
      () => 'it passed',
      (error: BaseError) => {
        const cause = error.walk((inner) => inner instanceof RpcRequestError)
        return cause instanceof RpcRequestError ? String(cause.data) : error.shortMessage
      },
    )
  }
  const UNAUTHORIZED = '0x82b42900'

  test('is moved in two steps, and the deployer keeps nothing', async () => {
    const before = await run()
    const chain = readFile(out())
    expect(before.lines.join('\n')).toMatch(
      /can still do:\n {2}may take the ownership back.*\n.*calls accept\(\) on the handover: to 0x\w{40}, data 0x2852b71c/,
    )
    const writes = contractsOf(chain).flatMap(([name, address, abi]) =>
      abi.flatMap((item) => (item.type === 'function' && /payable/.test(item.stateMutability) ? [{ name, address, item }] : [])),
    )
    const askAll = (account: Address) => Promise.all(writes.map(({ address, item }) => answerTo(account, address, item)))
    const handover = chain.deployment?.handover as Address
    const [atHandover, stranger] = [await askAll(handover), await askAll(who.stranger)]
    // Functions that the owner may call and a stranger may not.
    const ownerOnly = writes.filter((_, index) => stranger[index] === UNAUTHORIZED && atHandover[index] !== UNAUTHORIZED)
    expect(ownerOnly.length).toBeGreaterThan(35)
    expect(ownerOnly.map(({ name, item }) => `${name}.${item.name}`)).toEqual(
      expect.arrayContaining([
        'policy.transferOwnership',
        'policy.setVerifier',
        'escrow.setFeeSchedule',
        'agentAccount.setEscrowOperator',
        'registry.registerStrategy',
        'wrapper.setOperator',
        'adapter.writeOffResidue',
      ]),
    )
    expect(await askAll(DEPLOYER)).toEqual(stranger)
    expect((await checkDeployment(place.client, chain)).find(({ name }) => name === 'policy.owner')?.found).toContain('waits for')
    await accept(place, chain)
    expect(await askAll(DEPLOYER)).toEqual(stranger)
    expect(await askAll(NEW_OWNER)).toEqual(atHandover)
    await expect(place.act(DEPLOYER, handover, TAKE_BACK)).rejects.toThrow()
    expect((await run()).lines).toContain(`what ${DEPLOYER} can still do: nothing`)
    expect((await checkDeployment(place.client, chain)).map(({ name }) => name)).not.toContain('policy.owner')
  })

  test('goes back to the deployer while it was not accepted, and is taken by the new owner alone', async () => {
    await run()
    const { deployment, contracts } = readFile(out())
    const handover = deployment?.handover as Address
    for (const other of [who.stranger, DEPLOYER]) await expect(place.act(other, handover, ACCEPT)).rejects.toThrow()
    await expect(place.act(who.stranger, handover, TAKE_BACK)).rejects.toThrow()
    await place.act(DEPLOYER, handover, TAKE_BACK)
    const read = { address: contracts.policy.address, abi: treasuryPolicyAbi, functionName: 'owner' } as const
    expect(await place.client.readContract(read)).toBe(DEPLOYER)
    const found = await checkDeployment(place.client, readFile(out()))
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['policy.owner', 'deployer.roles']))
  })
})
const ACCEPT = '0x2852b71c'
const TAKE_BACK: Hex = keccak256(toHex('takeBack()')).slice(0, 10) as Hex

describe('before anything is sent', () => {
  test('a dry run needs an address alone, changes nothing, and promises no less gas than is used', async () => {
    const plan = deploymentPlan(wholeConfig, DEPLOYER)
    const estimates = await estimatePlan(place.client, plan, DEPLOYER)
    expect(await place.rpc('eth_blockNumber')).toBe('0x0')
    await run()
    const hashes = new Map(
      readJournal(journal()).flatMap((entry) => ('state' in entry && entry.state === 'mined' ? [[entry.step, entry.hash as Hex]] : [])),
    )
    for (const { step, gas } of estimates) {
      const { gasUsed } = await place.client.getTransactionReceipt({ hash: hashes.get(step) as Hex })
      expect([step, gas >= gasUsed]).toEqual([step, true])
    }
  })

  test('a deployer with a role, and a file of another deployment, are refused', async () => {
    const config = await smallConfig()
    await expect(run({}, { ...config, owner: DEPLOYER })).rejects.toThrow('owner is the deployer, which keeps no role')
    await expect(run({}, { ...config, roles: { ...config.roles, verifier: DEPLOYER } })).rejects.toThrow('verifier is the deployer')
    writeFileSync(out(), '{}')
    await expect(run({}, config)).rejects.toThrow('name a new file')
    expect(existsSync(journal())).toBe(false)
  })

  test.each([
    ['group may read', 0o640, `${DEPLOYER_KEY}`, 'run chmod 600'],
    ['holds no key', 0o600, 'secret words', 'holds no key'],
  ])('a key file that %s is refused, without its text', (_, mode, text, message) => {
    const path = writeKey(place.path('a.key'), text as Hex, mode)
    expect(() => readKeyFile('--key-file', path)).toThrow(message)
    expect(() => readKeyFile('--key-file', path)).not.toThrow(text)
  })

  test.each<[string, (config: Record<string, unknown>) => void, RegExp]>([
    [
      'a misspelt member',
      (config) => {
        config.ownr = who.stranger
      },
      /--config: ownr is not an accepted member/,
    ],
    [
      'a test part on a real chain',
      (config) => {
        config.testChain = false
      },
      /--config: asset is for test chains/,
    ],
    ['no owner', (config) => void delete config.owner, /owner/],
    [
      'savings without their operator',
      (config) => void delete (config.roles as Record<string, unknown>).creditOperator,
      /roles\.creditOperator is required/,
    ],
  ])('a config with %s is refused', (_, change, message) => {
    const config = structuredClone(wholeConfig) as unknown as Record<string, unknown>
    change(config)
    writeFileSync(place.path('config.json'), JSON.stringify(config))
    expect(() => readConfig(place.path('config.json'))).toThrow(message)
  })

  test.each([
    ['no act', []],
    ['an unknown act', ['destroy']],
    ['an unknown option', ['check', 'chain.json', '--all']],
    ['an option of another act', ['check', 'chain.json', '--amount', '5']],
    ['a deployment without a key', ['deploy', '--rpc', 'http://x', '--config', 'c', '--out', 'o']],
    ['a key given in words', ['deploy', '--rpc', 'http://x', '--config', 'c', '--out', 'o', '--deployer-key', '0x1']],
  ])('a command line with %s is none', (_, args) => {
    expect(readCommand(args)).toBeNull()
  })
})
