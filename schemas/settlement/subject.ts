import { subject } from '../subject.ts'

export const settlement = subject({
  name: 'settlement',
  buildsOn: ['claims', 'receipts'],
  entities: () => import('./entities.ts'),
  operations: async () => ({ ...(await import('./operations.ts')), ...(await import('./admin-operations.ts')) }),
})
