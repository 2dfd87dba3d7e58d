/** The console of an operator has a token instead of a cookie. */
export const bearer: { isUsed: boolean; token: string | undefined } = {
  isUsed: false,
  token: undefined
}

export function authorized(request: Request): Request {
  if (bearer.token !== undefined) request.headers.set('authorization', `Bearer ${bearer.token}`)
  return request
}
