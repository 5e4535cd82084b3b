// An OpenID Connect provider for tests: node openid_provider.mjs SETTINGS, a JSON text. Its login page accepts any
// password. The claims of each account are in the settings.
import { generateKeyPairSync } from "node:crypto";
import { pathToFileURL } from "node:url";

const settings = JSON.parse(process.argv[2]);
const { Provider } = await import(pathToFileURL(`${settings.modules}/oidc-provider/lib/index.js`).href);
const issuer = `http://127.0.0.1:${settings.port}`;
const key = (type, options, alg) => ({
  ...generateKeyPairSync(type, options).privateKey.export({ format: "jwk" }),
  alg, use: "sig", kid: `${alg}-${process.pid}`,
});

const provider = new Provider(issuer, {
  clients: [{
    client_id: "catwalk",
    redirect_uris: settings.redirects,
    post_logout_redirect_uris: settings.after_sign_out,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    id_token_signed_response_alg: settings.alg,
    ...(settings.secret
      ? { client_secret: settings.secret }
      : { token_endpoint_auth_method: "none" }),
  }],
  jwks: { keys: [key("rsa", { modulusLength: 2048 }, "RS256"), key("ec", { namedCurve: "P-256" }, "ES256")] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...settings.accounts[id] }) }),
  claims: { openid: ["sub"], profile: ["preferred_username", "name"], email: ["email", "email_verified"] },
  conformIdTokenClaims: settings.conform,
  features: { rpInitiatedLogout: { enabled: settings.ends_sessions } },
  enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256", "HS256"] },
  pkce: { required: () => true },
  ttl: { AuthorizationCode: settings.seconds, AccessToken: 60, Grant: 600, IdToken: settings.id_token_seconds, Interaction: 600, Session: 600 },
  cookies: { keys: ["a key of the tests"] },
});
provider.on("server_error", (_, error) => console.error(error));
provider.listen(settings.port, "127.0.0.1", () => console.log("ready"));
