import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type LoggedBlock, openChainLog } from '../../local/chain/log.ts'
import { useDirectory } from './support/directory.ts'

const block = (number: number): LoggedBlock => ({
  number,
  timestamp: 100 + number,
  hash: `0x${number}`,
  baseFeePerGas: '0x1',
  transactions: [`0xraw${number}`],
})

describe('the log of the local chain', () => {
  const directory = useDirectory()
  const fileWith = (name: string, count: number): string => {
    const file = join(directory, name)
    const log = openChainLog(file, { genesisTimestamp: 100 })
    for (let number = 1; number <= count; number++) log.append(block(number))
    return file
  }

  test('gives back its start and every block when it is opened again, whatever start is offered then', () => {
    const log = openChainLog(fileWith('again', 3), { genesisTimestamp: 999 })
    expect(log.start).toEqual({ genesisTimestamp: 100 })
    expect(log.blocks()).toEqual([block(1), block(2), block(3)])
    expect(log.head()).toEqual(block(3))
  })

  test('drops a line that was cut while it was written, and goes on after it', () => {
    const file = fileWith('cut', 2)
    appendFileSync(file, '{"number":3,"times')
    const log = openChainLog(file, { genesisTimestamp: 0 })
    expect(log.head()).toEqual(block(2))
    log.append(block(3))
    expect(openChainLog(file, { genesisTimestamp: 0 }).head()).toEqual(block(3))
  })

  test('names the line that is damaged and the way out', () => {
    const file = fileWith('damaged', 2)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"number":1', '"number:1'))
    expect(() => openChainLog(file, { genesisTimestamp: 0 })).toThrow(/line 2 of .*--fresh/)
  })

  test('goes on after a line that the full disk cut off', () => {
    const file = fileWith('full', 1)
    // A process whose files may have 1 KiB: the long block breaks off in its middle, the short one after it fits.
    const program = `
      import { openChainLog } from ${JSON.stringify(new URL('../../local/chain/log.ts', import.meta.url).href)}
      const log = openChainLog(${JSON.stringify(file)}, { genesisTimestamp: 0 })
      const next = (transactions) => log.append({ ...log.head(), number: 2, transactions })
      try { next(['0x'.padEnd(2_000, 'f')]) } catch (error) { process.stdout.write(error.code) }
      next([])
    `
    const node = [process.execPath, '--input-type=module', '--eval', program]
    const output = execFileSync('bash', ['-c', 'ulimit -S -f 1; exec "$@"', 'bash', ...node], { encoding: 'utf8' })
    expect(output).toBe('EFBIG')
    expect(openChainLog(file, { genesisTimestamp: 0 }).blocks()).toEqual([block(1), { ...block(1), number: 2, transactions: [] }])
  })

  test('forgets the blocks that the chain took back', () => {
    const file = fileWith('rolled', 3)
    const log = openChainLog(file, { genesisTimestamp: 0 })
    log.rollBack(1)
    expect(log.head()).toEqual(block(1))
    expect(openChainLog(file, { genesisTimestamp: 0 }).blocks()).toEqual([block(1)])
  })
})
