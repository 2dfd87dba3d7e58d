/** The token of the operator's console, which has no cookie. Undefined everywhere else. */
export const bearer: { token: string | undefined } = { token: undefined }

export function authorized(request: Request): Request {
  if (bearer.token !== undefined) request.headers.set('authorization', `Bearer ${bearer.token}`)
  return request
}
