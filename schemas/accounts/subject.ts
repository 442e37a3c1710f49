import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const accounts = subject({
  name: 'accounts',
  buildsOn: ['credit', 'settlement', 'strategies'],
  entities: () => import('./entities.ts'),
  operations: async () => ({ ...(await import('./operations.ts')), ...(await import('./admin-operations.ts')) }),
  settings,
})
