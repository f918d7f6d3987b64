/* Debian has no luasodium. This has the three functions that latchkey.lua uses of it, and calls libsodium as it does. */
#include <lauxlib.h>
#include <sodium.h>
#include <string.h>

static const unsigned char *bytes(lua_State *lua, int argument, size_t *size) {
  return (const unsigned char *)luaL_checklstring(lua, argument, size);
}

static int verify(lua_State *lua) {
  size_t sizes[3];
  const unsigned char *signature = bytes(lua, 1, &sizes[0]);
  const unsigned char *message = bytes(lua, 2, &sizes[1]);
  const unsigned char *key = bytes(lua, 3, &sizes[2]);
  if (sizes[0] != crypto_sign_BYTES || sizes[2] != crypto_sign_PUBLICKEYBYTES) return luaL_error(lua, "wrong size");
  lua_pushboolean(lua, crypto_sign_verify_detached(signature, message, sizes[1], key) == 0);
  return 1;
}

static int sha512(lua_State *lua) {
  size_t size;
  const unsigned char *message = bytes(lua, 1, &size);
  unsigned char hash[crypto_hash_sha512_BYTES];
  crypto_hash_sha512(hash, message, size);
  lua_pushlstring(lua, (const char *)hash, sizeof hash);
  return 1;
}

static int random_bytes(lua_State *lua) {
  unsigned char random[64];
  const size_t size = (size_t)luaL_checkinteger(lua, 1);
  if (size > sizeof random) return luaL_error(lua, "too many");
  randombytes_buf(random, size);
  lua_pushlstring(lua, (const char *)random, size);
  return 1;
}

int luaopen_luasodium(lua_State *lua) {
  const luaL_Reg functions[] = {
      {"crypto_sign_verify_detached", verify},
      {"crypto_hash_sha512", sha512},
      {"randombytes_buf", random_bytes},
      {NULL, NULL},
  };
  if (sodium_init() < 0) return luaL_error(lua, "libsodium cannot start");
  luaL_newlib(lua, functions);
  return 1;
}
