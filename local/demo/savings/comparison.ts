import { toDisplay } from '../../../domain/common/money.ts'
import type { Report } from '../report.ts'

/** Amount of the service beside the amount that the demo read from the chain. Base units. */
export interface ComparedAmount {
  name: string
  serviceRaw: bigint
  chainRaw: bigint
  symbol: string
  decimals: number
}

export type Comparison = ReturnType<typeof createComparison>

const isEqual = ({ serviceRaw, chainRaw }: ComparedAmount): boolean => serviceRaw === chainRaw

/** Prints amounts of the service and of the chain side by side and counts those that are equal. */
export const createComparison = ({ table, line }: Pick<Report, 'table' | 'line'>) => {
  const compared: ComparedAmount[] = []
  return {
    show: (title: string, amounts: ComparedAmount[]): void => {
      compared.push(...amounts)
      const shown = ({ decimals, symbol }: ComparedAmount, raw: bigint) => `${toDisplay(raw, decimals)} ${symbol}`
      table([
        [title, 'service', 'chain', ''],
        ...amounts.map((row) => [row.name, shown(row, row.serviceRaw), shown(row, row.chainRaw), isEqual(row) ? '=' : 'DIFFERS']),
      ])
      line()
    },
    /** Number of equal amounts. */
    equalCount: (): number => compared.filter(isEqual).length,
    /** One sentence for each amount that differs. */
    differences: (): string[] =>
      compared
        .filter((row) => !isEqual(row))
        .map(({ name, serviceRaw, chainRaw }) => `${name} is ${serviceRaw} by the service and ${chainRaw} on chain`),
  }
}
