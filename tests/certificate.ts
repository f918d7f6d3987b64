import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Two self-signed certificates for localhost with their keys, valid for a hundred years. They are fixed because not
 * every machine has a program that creates certificates. No client trusts them, so the keys are not secret.
 */
const made = {
  first: {
    certificate: `-----BEGIN CERTIFICATE-----
MIIBkjCCATmgAwIBAgIUT+aEu4cG6aMLG+nzvMsqvFTD0B0wCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFZmlyc3QwIBcNMjYxMTIxMjIyNTU5WhgPMjEyNjEwMjgyMjI1
NTlaMBAxDjAMBgNVBAMMBWZpcnN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
slup7QvT39KyFfz7X/mO7ND2WzasDDofpGI+Wnlyzcy8/iPe1WTh73aFt+RB2PFM
pH2Ifpe1me5OYL212tss6aNvMG0wHQYDVR0OBBYEFA0Z9RA6wAHhM4ee+JV8DaaD
n67uMB8GA1UdIwQYMBaAFA0Z9RA6wAHhM4ee+JV8DaaDn67uMA8GA1UdEwEB/wQF
MAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0cA
MEQCIEBsqgD6lLtLgfYGuUFXL8NODLDY8R2eZSKsodys5APHAiA/pzOpzjEPodl4
sVtMpUG4aCnuXYCtbwL1Exb89JQzUA==
-----END CERTIFICATE-----
`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3pPEQLLUl0VR6XGN
0WkwVDAtpq2VFuLtUlPFKjg+XVOhRANCAASyW6ntC9Pf0rIV/Ptf+Y7s0PZbNqwM
Oh+kYj5aeXLNzLz+I97VZOHvdoW35EHY8UykfYh+l7WZ7k5gvbXa2yzp
-----END PRIVATE KEY-----
`,
  },
  second: {
    certificate: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUWTMAULkfiUDmI3Vpu7hFyLhIMV0wCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGc2Vjb25kMCAXDTI2MTEyMTIyMjYwMFoYDzIxMjYxMDI4MjIy
NjAwWjARMQ8wDQYDVQQDDAZzZWNvbmQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAQTYKTRxLNMy3hBBSQFhfDTDJPBzZAli0rXEyQyAcgfr8T1okesZKHXAgCvefCx
6My0N8v+d8GqTrA5EScqI6I5o28wbTAdBgNVHQ4EFgQUUX5UHZGfxkGZcq0Fpg5j
Tu88Ls8wHwYDVR0jBBgwFoAUUX5UHZGfxkGZcq0Fpg5jTu88Ls8wDwYDVR0TAQH/
BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwID
SAAwRQIhAKNfSq8Ir10u01JXiXiXKZ4WRsN0yMFAFtfg/0L9jvy5AiAb74sC+KQJ
KEoUYFXUJH4VM3T0I5z2kSngJaACjONsFg==
-----END CERTIFICATE-----
`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3tgAiy6Jb2EqZBjX
/PMF+WHHkGGyXLZk/pYoVUyW7v2hRANCAAQTYKTRxLNMy3hBBSQFhfDTDJPBzZAl
i0rXEyQyAcgfr8T1okesZKHXAgCvefCx6My0N8v+d8GqTrA5EScqI6I5
-----END PRIVATE KEY-----
`,
  },
};

/** Writes a certificate and its key into a folder. The certificate's common name is `name`. */
export function writeCertificate(
  folder: string,
  name: keyof typeof made,
): { certificateFile: string; keyFile: string } {
  const files = { certificateFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(files.certificateFile, made[name].certificate);
  writeFileSync(files.keyFile, made[name].key);
  return files;
}
