import { text } from 'node:stream/consumers'

// Reads manifests of Kubernetes as a JSON list from stdin, and prints what the schemas of its API
// find wrong with each, or null. The test copies it to where the packages of this folder are
// installed.

const mistakes = []
for (const manifest of JSON.parse(await text(process.stdin))) {
  const [version, group = 'core'] = manifest.apiVersion.split('/').reverse()
  const path = group === 'core' ? version : `${group}/${version}`
  const { [manifest.kind]: Model } = await import(`kubernetes-models/${path}`)
  try {
    new Model(manifest).validate()
    mistakes.push(null)
  } catch ({ message }) {
    mistakes.push(message)
  }
}
console.log(JSON.stringify(mistakes))
