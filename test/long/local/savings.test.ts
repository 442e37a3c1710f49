import { beforeAll, expect, test } from '@jest/globals'
import { seed } from '../../../local/catalogue/seed.ts'
import { createChainView } from '../../../local/demo/chain.ts'
import { missingProof } from '../../../local/demo/proof.ts'
import { createReport } from '../../../local/demo/report.ts'
import { savingsFlow } from '../../../local/demo/savings/flow.ts'
import { stateFiles } from '../../../local/files.ts'
import { ANY_PORTS } from '../../../local/ports.ts'
import { type Stack, startStack } from '../../../local/stack.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { useStateDirectory } from '../../local/support/directory.ts'

const START_MS = 90_000
const FLOW_MS = 60_000
let stack: Stack
const dir = useStateDirectory(async () => stack?.stop())

beforeAll(async () => {
  stack = await startStack({ dir, ports: ANY_PORTS })
  await seed(stack.info.databaseUrl, stateFiles(dir))
}, START_MS)

test(
  'the savings demo finds every amount of the service equal to the chain, within a minute',
  async () => {
    const { info } = stack
    const chainFile = readChainFile(info.chainFile)
    const printed: string[] = []
    const report = createReport((line) => printed.push(line))
    const chain = createChainView(chainFile, info.rpcUrl)
    const saved = await savingsFlow({ base: info.api ?? '', chain, report, asset: chainFile.asset, info, chainFile })
    expect(saved.differences).toEqual([])
    expect(saved.equalCount).toBeGreaterThan(70)
    expect(missingProof(saved.starter)).toEqual([])
    expect(printed.filter((line) => line.length > 80 && /[█░]/.test(line))).toEqual([])
  },
  FLOW_MS,
)
