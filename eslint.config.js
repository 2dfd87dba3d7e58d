import neostandard from 'neostandard'

export default neostandard({ ts: true, ignores: ['dist/', '.tap/', '.data/', 'db/migrations/'] })
