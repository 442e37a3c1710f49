// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IERC20} from "./Interfaces.sol";

/// @notice Token calls that accept nothing but an explicit success from a contract.
abstract contract TokenMoves {
    error TransferFailed();

    function _pull(address asset, address from, uint256 amount) internal {
        _strictCall(asset, abi.encodeCall(IERC20.transferFrom, (from, address(this), amount)));
    }

    function _push(address asset, address to, uint256 amount) internal {
        _strictCall(asset, abi.encodeCall(IERC20.transfer, (to, amount)));
    }

    /// @dev Resets to zero first, because some tokens refuse to change a non-zero allowance.
    function _approveExactly(address asset, address spender, uint256 amount) internal {
        _strictCall(asset, abi.encodeCall(IERC20.approve, (spender, 0)));
        _strictCall(asset, abi.encodeCall(IERC20.approve, (spender, amount)));
    }

    function _strictCall(address asset, bytes memory data) private {
        (bool ok, bytes memory answer) = asset.call(data);
        if (!ok || answer.length != 32 || !abi.decode(answer, (bool))) revert TransferFailed();
    }
}
