import { expect, test } from '@jest/globals'
import { files, read } from './files.ts'

interface Rule {
  /** What a test must not do. */
  breaks: RegExp
  /** Files that the rule does not bind. */
  except: RegExp
}

/** Parts that wait and measure on purpose; a node that answers late does so after a time. */
const MEASURING = /^test\/(?:(?:support|timing|bench|cluster|crash|storm)\/|long\/failing\/node-faults\.ts$)/

const RULES = {
  'asserts how long something took': {
    breaks: /expect\([^\n]*(?:performance\.now|Date\.now\(\) -|tookMs|ownMs|elapsedMs)/,
    except: MEASURING,
  },
  sleeps: { breaks: /(?<!\bjest\.)\bsetTimeout(?:\(| as )|\bpg_sleep\b/, except: MEASURING },
  'chooses without a seed': { breaks: /\bMath\.random\b/, except: /^test\/bench\// },
} as const satisfies Record<string, Rule>

/** Rules that a text breaks as a file of this path. */
const brokenBy = (path: string, text: string): string[] =>
  Object.entries(RULES).flatMap(([name, { breaks, except }]) => (!except.test(path) && breaks.test(text) ? [name] : []))

test('the rules for waits find a time in an expectation, a sleep and a choice without a seed', () => {
  const path = 'test/api/some.test.ts'
  expect(brokenBy(path, 'expect(performance.now() - began).toBeLessThan(5)')).toEqual(['asserts how long something took'])
  expect(brokenBy(path, 'expect(Date.now() - began).toBeLessThan(5)')).toEqual(['asserts how long something took'])
  expect(brokenBy(path, 'await new Promise((done) => setTimeout(done, 5))')).toEqual(['sleeps'])
  expect(brokenBy(path, "import { setTimeout as sleep } from 'node:timers/promises'")).toEqual(['sleeps'])
  expect(brokenBy(path, 'jest.setTimeout(120_000)')).toEqual([])
  expect(brokenBy(path, 'const key = Math.random()')).toEqual(['chooses without a seed'])
  expect(brokenBy('test/support/eventually.ts', "import { setTimeout } from 'node:timers/promises'")).toEqual([])
  expect(brokenBy('test/support/eventually.ts', 'Math.random()')).toEqual(['chooses without a seed'])
})

test('no other test asserts how long something took, sleeps, or chooses without a seed', () => {
  const isTest = (path: string) => /^test\/.*\.(ts|js)$/.test(path) && path !== 'test/repository/waits.test.ts'
  const broken = files()
    .filter(isTest)
    .flatMap((path) => brokenBy(path, read(path)).map((rule) => `${path} ${rule}`))
  expect(broken).toEqual([])
})
